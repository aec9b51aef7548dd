import type { Lead } from '../domain/finding.ts';
import { readAnalyzerReport } from '../pipeline/analyzer-reports/read-report.ts';
import { includedFiles, type Disposition } from '../pipeline/disposition.ts';
import { sortLeads, type AnalyzerRun, type Enrichment } from '../pipeline/enrichment.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { printable } from '../std/printable.ts';
import { hideSecrets } from './hide-secrets.ts';
import { leadKey, leadsOfReport, type ReportTarget } from './report-leads.ts';
import { findSecrets } from './secrets.ts';

/** A report that was handed in. */
export type ImportedReport = { readonly name: string; readonly bytes: Uint8Array };

/**
 * Adds what reports of other tools say to what is known, each report apart and in the order in which
 * they came. What was known stays as it is; what two say alike stands there once.
 *
 * @param given.whyNotLens why nothing can be made of a lead in a file under a lens, if so.
 */
export const importReports = async (
  known: Enrichment,
  reports: readonly ImportedReport[],
  given: {
    readonly tree: FrozenTree;
    readonly inventory: Inventory;
    readonly disposition: Disposition;
    readonly isAsked?: ((path: string) => boolean) | undefined;
    readonly whyNotLens?: ((path: string, lens: Lead['lens']) => string | undefined) | undefined;
  },
): Promise<Enrichment> => {
  if (reports.length === 0) return known;
  const { tree } = given;
  const target = reportTarget(given);
  const seen = new Set(known.leads.map(leadKey));
  const leads: Lead[] = [];
  const runs: AnalyzerRun[] = [];
  const incomplete: string[] = [];
  for (const { name, bytes } of reports) {
    const read = readAnalyzerReport(bytes);
    if (read.kind === 'refused') {
      incomplete.push(`Nothing of ${printable(name, 200)} was used. ${read.message}`);
      continue;
    }
    const found = await leadsOfReport(
      { runs: read.runs, origin: 'imported', importedFrom: name },
      target,
      seen,
    );
    leads.push(...found.leads);
    runs.push(...found.runs);
    incomplete.push(...found.runs.flatMap((run) => uselessness(name, run)));
  }
  const paths = new Set(leads.map(({ place }) => place.path));
  const files = given.inventory.files.filter(({ path }) => paths.has(path));
  const { safeQuotes } = await findSecrets({ tree, files });
  return {
    ...known,
    leads: sortLeads(hideSecrets([...known.leads, ...leads], safeQuotes)),
    analyzers: [...known.analyzers, ...runs],
    incomplete: [...known.incomplete, ...incomplete],
  };
};

/** The files of an audit, as reports may be about them. */
export const reportTarget = (given: {
  readonly tree: Pick<FrozenTree, 'read'>;
  readonly inventory: Inventory;
  readonly disposition: Disposition;
  readonly isAsked?: ((path: string) => boolean) | undefined;
  readonly whyNotLens?: ReportTarget['whyNot'] | undefined;
}): ReportTarget => {
  const { inventory, disposition, isAsked = () => true } = given;
  const included = new Set(includedFiles(inventory, disposition).map(({ path }) => path));
  return {
    tree: given.tree,
    paths: inventory.files.map(({ path }) => path),
    whyNot: (path, lens) => {
      if (!included.has(path)) return 'its file is not reviewed in this audit';
      return isAsked(path)
        ? given.whyNotLens?.(path, lens)
        : 'its file is not asked about in this audit';
    },
  };
};

/** A report of which nothing could be used must not look like one that found nothing. */
const uselessness = (name: string, { leads, leftOut = [] }: AnalyzerRun): readonly string[] => {
  const lost = leftOut.filter(({ reason }) => !HARMLESS.test(reason));
  if (leads !== 0 || lost.length === 0) return [];
  const most = lost.reduce((one, other) => (other.count > one.count ? other : one));
  return [`Nothing of ${printable(name, 200)} was used: of ${most.count}, ${most.reason}.`];
};

/** What is left out because it says nothing new, or was taken back where it comes from. */
const HARMLESS =
  /^it (?:was said before|is suppressed|is no failure|is gone since)|^its file is not|^its lens /;
