import type { Confidence, Lens, Severity } from '../../domain/vocabulary.ts';
import type { LeftOut } from './left-out.ts';

/** Where a tool says that something is, in its own terms: no path of ours yet. */
export type ReportedPlace = {
  /** As the tool writes it, URIs decoded; absolute on some machine, or relative to some folder. */
  readonly path: string;
  /** From 1; undefined: the file as a whole. */
  readonly line?: number | undefined;
  readonly endLine?: number | undefined;
  /** Texts of which the first line that holds one is the place, for reports that know no lines. */
  readonly near?: readonly string[] | undefined;
};

/** One thing that a tool reports: our words for kind and weight, its own for rule and message. */
export type ReportedItem = {
  readonly rule: string;
  readonly category?: string | undefined;
  readonly lens: Lens;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly message: string;
  readonly place: ReportedPlace;
  readonly help?: string | undefined;
  /** From where the data comes to where it does harm. */
  readonly trace?: readonly { readonly place: ReportedPlace; readonly says: string }[] | undefined;
};

/** What one run of one tool reports. */
export type ToolRun = {
  readonly tool: string;
  readonly version?: string | undefined;
  readonly items: readonly ReportedItem[];
  /** What was in the report and could not be used, and why. */
  readonly leftOut: LeftOut;
  /** What the tool says of its own failure: then what it does not report means nothing. */
  readonly trouble?: string | undefined;
};
