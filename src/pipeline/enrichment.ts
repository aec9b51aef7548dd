import { z } from 'zod';
import { compareText } from '../std/canonical-json.ts';
import { analyzerSummary } from '../domain/analyzer-summary.ts';
import { lead, type Lead } from '../domain/finding.ts';
import type { FoundToolName } from '../domain/consent.ts';
import type { Lens } from '../domain/vocabulary.ts';
import { duplicate } from './design/duplication.ts';
import { isModuleLanguage } from './language.ts';

/** What one analyzer did: on how many files, and whether it could do its work. */
export const analyzerRun = analyzerSummary.extend({
  /** Files that it should have looked at and did not; all of them when it failed. */
  unchecked: z.array(z.string()),
});
export type AnalyzerRun = z.infer<typeof analyzerRun>;

/** What the analyzers say. Leads are sorted by path, line, analyzer, rule. */
export const enrichment = z.object({
  leads: z.array(lead),
  analyzers: z.array(analyzerRun),
  /** One sentence for each thing that was to be done and was not: a failure is never silence. */
  incomplete: z.array(z.string()),
  /** Equal stretches of code. Artifacts of earlier versions have none. */
  duplicates: z.array(duplicate).optional(),
});
export type Enrichment = z.infer<typeof enrichment>;

/** The analyzer that our own rules make up. */
export const OWN_RULES = 'casefile-rules';

/** Lenses under which the bundled analyzers can say anything at all. */
export const ANALYZER_LENSES: readonly Lens[] = ['security', 'correctness', 'maintainability'];

/**
 * Whether a bundled analyzer checks files of this language under this lens: secrets in any text
 * file (and our own rules in the languages that they know), and what a linter and a parser know about
 * JavaScript and TypeScript. Which of them looked at how many files stands in the list of analyzers.
 */
export const analyzersCover = (file: { readonly language: string }, lens: Lens): boolean =>
  lens === 'security' ||
  ((lens === 'correctness' || lens === 'maintainability') && isModuleLanguage(file.language));

/**
 * Whether they really did: a file that the analyzer behind a lens could not check has no verdict
 * under it, and saying nothing about it would look like saying that it is clean.
 */
export const createAnalyzerCoverage = (
  enriched: Enrichment,
): ((file: { readonly path: string; readonly language: string }, lens: Lens) => boolean) => {
  const unchecked = new Map(
    enriched.analyzers.map(({ name, unchecked: paths }) => [name, new Set(paths)]),
  );
  const didCheck = (analyzer: string, path: string): boolean =>
    unchecked.get(analyzer)?.has(path) === false;
  const hasError = new Set(
    enriched.leads
      .filter((found) => found.analyzer === 'oxc-parser')
      .map(({ place }) => place.path),
  );
  const hasSecurityLead = new Set(
    enriched.leads.filter((found) => found.lens === 'security').map(({ place }) => place.path),
  );
  return (file, lens) => {
    if (!analyzersCover(file, lens)) return false;
    if (lens === 'security') {
      // A file that our rules could not read has a verdict only where something was found in it.
      const isRead = unchecked.get(OWN_RULES)?.has(file.path) !== true;
      return didCheck('secretlint', file.path) && (isRead || hasSecurityLead.has(file.path));
    }
    // A file that does not parse has its finding under correctness; no linter can add to it.
    if (lens === 'correctness' && hasError.has(file.path)) return true;
    return didCheck('oxlint', file.path);
  };
};

/** What programs that are found on the machine check, beside secrets, which are looked for in any text. */
const FOUND_COVERAGE: Readonly<
  Partial<Record<FoundToolName, (file: { path: string; language: string }) => boolean>>
> = {
  ruff: ({ language }) => language === 'Python',
  'golangci-lint': ({ language }) => language === 'Go',
  actionlint: ({ path }) => path.startsWith('.github/workflows/'),
  hadolint: ({ language }) => language === 'Dockerfile',
  shellcheck: ({ language }) => language === 'Shell',
};

/**
 * Whether an analyzer that is not bundled looked at a file under a lens. One that was run here is known to
 * have, for correctness. A report of one that others ran shows that it did by what it says there, and
 * by nothing else: that it says nothing of a file does not mean that it read it.
 */
export const createOtherCoverage = (
  enriched: Pick<Enrichment, 'leads' | 'analyzers'>,
): ((file: { readonly path: string; readonly language: string }, lens: Lens) => boolean) => {
  const cells = new Set(
    enriched.leads
      .filter(({ origin }) => origin !== undefined)
      .map(({ lens, place }) => `${lens} ${place.path}`),
  );
  const ran = enriched.analyzers.flatMap(({ name, origin, status, unchecked }) => {
    const isOf = FOUND_COVERAGE[name as FoundToolName];
    const isKnown = origin === 'found' && status !== 'failed' && isOf !== undefined;
    return isKnown ? [{ isOf, unchecked: new Set(unchecked) }] : [];
  });
  return (file, lens) =>
    cells.has(`${lens} ${file.path}`) ||
    (lens === 'correctness' &&
      ran.some(({ isOf, unchecked }) => isOf(file) && !unchecked.has(file.path)));
};

export const sortLeads = (leads: readonly Lead[]): Lead[] =>
  leads.toSorted(
    (left, right) =>
      compareText(left.place.path, right.place.path) ||
      left.place.line - right.place.line ||
      compareText(left.analyzer, right.analyzer) ||
      compareText(left.rule, right.rule) ||
      compareText(left.message, right.message),
  );
