import { required } from '../std/assert.ts';
import type { LensDefinition } from '../domain/lens-definition.ts';
import { isBundledLens, type BundledLens, type Lens } from '../domain/vocabulary.ts';

/** What each point of view looks for, as prompts and reports put it. */
export const LENS_GUIDE: Readonly<Record<BundledLens, string>> = {
  security:
    'what an attacker can use: injection, missing checks of identity or permission, unsafe handling of secrets, paths, deserialised data or foreign input, weak cryptography',
  correctness:
    'code that does something else than its name, documentation and callers say: wrong conditions, off-by-one, mixed-up values, missed cases, broken contracts',
  reliability:
    'behaviour when something fails: swallowed errors, missing timeouts and clean-up, races, leaks, retries that repeat harm',
  data_integrity:
    'data that can be lost, doubled or contradict itself: missing transactions, partial writes, unsafe migrations, wrong units, encodings or rounding',
  performance:
    'work that grows faster than its input needs, repeated or blocking work on hot paths, unbounded memory',
  operability:
    'running it: start-up, shutdown, configuration errors that show late, missing limits, upgrades',
  config_deployment:
    'configuration, build and deployment: unsafe defaults, secrets in files, unpinned or contradictory settings, too wide permissions',
  observability:
    'whether an operator could tell what happened: errors without context, missing or misleading logs and metrics, secrets in logs',
  maintainability:
    'what will mislead the next developer: dead or duplicated code, wrong comments, needless complexity, misleading names',
  architecture:
    'the structure across files: cycles, wrong directions of dependency, layers passed by, responsibilities in the wrong place',
  tests:
    'tests that cannot fail, assert nothing or the wrong thing, depend on order or time, or leave a risky case out',
};

/** What a lens looks for. */
export type GuideOf = (lens: Lens) => string;

/** @param own the definitions of those that are not ours. */
export const createLensGuide = (own: readonly LensDefinition[] = []): GuideOf => {
  const guides = new Map<Lens, string>(own.map(({ id, guide }) => [id, guide]));
  return (lens) =>
    isBundledLens(lens)
      ? LENS_GUIDE[lens]
      : required(guides.get(lens), 'each lens of its own has a definition');
};
