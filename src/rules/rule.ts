import type { Confidence, Lens, Severity } from '../domain/vocabulary.ts';

/** A kind of defect that we look for ourselves. One rule a file; each has good and bad twins. */
export type Rule = {
  /** What the lead names: kebab-case, and never given to another rule. */
  readonly id: string;
  /** Kind of the defect (`command-injection`); rules of several languages share it. */
  readonly category: string;
  readonly lens: Lens;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** What is wrong and what follows from it, in one sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly help: string;
};
