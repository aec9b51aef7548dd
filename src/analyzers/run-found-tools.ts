import { consentTo, FOUND_TOOL_NAMES, type FoundToolName } from '../domain/consent.ts';
import type { Lead } from '../domain/finding.ts';
import { includedFiles, type Disposition } from '../pipeline/disposition.ts';
import { sortLeads, type AnalyzerRun, type Enrichment } from '../pipeline/enrichment.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import type { RunProgram } from '../platform/subprocess.ts';
import { messageOf } from '../std/message-of.ts';
import { FOUND_TOOLS } from './found/found-tools.ts';
import { runFoundTool, shortfall, type FoundRun } from './found/run-found-tool.ts';
import { hideSecrets } from './hide-secrets.ts';
import { reportTarget } from './import-reports.ts';
import { leadKey, leadsOfReport, type ReportTarget } from './report-leads.ts';
import { findSecrets } from './secrets.ts';

/** Programs that were found on the machine, and what of them may be run. */
export type FoundPrograms = {
  readonly programs: ReadonlyMap<FoundToolName, string>;
  readonly consent: readonly string[];
  /** Absolute; the audited repository. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly runProgram: RunProgram;
  readonly timeoutMs?: number;
  readonly reportBytesMax?: number;
};

/**
 * Adds what programs of the operator say that were found on the machine, one after the other; each only with
 * consent. One that fails or cannot be kept from obeying the repository is told among the analyzers; that makes
 * the audit partial where it was named, or where it began and did not end well.
 */
export const runFoundTools = async (
  known: Enrichment,
  found: FoundPrograms,
  given: {
    readonly tree: FrozenTree;
    readonly inventory: Inventory;
    readonly disposition: Disposition;
    readonly isAsked?: ((path: string) => boolean) | undefined;
    readonly whyNotLens?: ReportTarget['whyNot'] | undefined;
    readonly scratch: string;
  },
): Promise<Enrichment> => {
  const { tree, inventory, isAsked = () => true } = given;
  const target = reportTarget(given);
  const files = includedFiles(inventory, given.disposition).filter(({ path }) => isAsked(path));
  const present = new Set(inventory.files.map(({ path }) => path));
  const seen = new Set(known.leads.map(leadKey));
  const leads: Lead[] = [];
  const runs: AnalyzerRun[] = [];
  const incomplete: string[] = [];
  for (const name of FOUND_TOOL_NAMES) {
    const consent = consentTo(found.consent, name);
    const program = found.programs.get(name);
    if (consent === undefined) continue;
    if (program === undefined) {
      if (consent === 'named') runs.push(notRun(name, undefined, 'it is not on PATH'));
      continue;
    }
    const tool = FOUND_TOOLS[name];
    if (!files.some(tool.wants)) continue;
    const ran = await guarded(() => {
      if (tree.folder === undefined) throw new Error('the copy has no files on a disk');
      const hasFile = (path: string): boolean => present.has(path);
      const { programs: _, consent: __, ...limits } = found;
      return runFoundTool(tool, {
        ...limits,
        program,
        tree: tree.folder,
        files,
        hasFile,
        scratch: given.scratch,
      });
    });
    const lack = shortfall(name, ran);
    if (ran.kind === 'not-run') {
      runs.push(notRun(name, ran.version, ran.reason));
      if (consent === 'named' && lack !== undefined) incomplete.push(lack);
      continue;
    }
    const reported = await leadsOfReport({ runs: [ran.run], origin: 'found' }, target, seen);
    leads.push(...reported.leads);
    runs.push(...reported.runs.map((run) => withFiles(run, ran)));
    if (lack !== undefined) incomplete.push(lack);
  }
  if (runs.length === 0) return known;
  const paths = new Set(leads.map(({ place }) => place.path));
  const quoted = inventory.files.filter(({ path }) => paths.has(path));
  const { safeQuotes } = await findSecrets({ tree, files: quoted });
  return {
    ...known,
    leads: sortLeads(hideSecrets([...known.leads, ...leads], safeQuotes)),
    analyzers: [...known.analyzers, ...runs],
    incomplete: [...known.incomplete, ...incomplete],
  };
};

/** What the disk does to it is no reason to end the audit. */
const guarded = async (run: () => Promise<FoundRun>): Promise<FoundRun> => {
  try {
    return await run();
  } catch (error) {
    const reason = `${messageOf(error).split('\n')[0]}`;
    return { kind: 'not-run', version: undefined, reason };
  }
};

const withFiles = (
  run: AnalyzerRun,
  { checked, unchecked, reasons }: Extract<FoundRun, { kind: 'ran' }>,
): AnalyzerRun => ({
  ...run,
  files: checked.length,
  status:
    checked.length === 0 && unchecked.length > 0
      ? 'failed'
      : reasons.length === 0
        ? 'done'
        : 'partial',
  ...(reasons.length > 0 && {
    leftOut: [...(run.leftOut ?? []), ...reasons.map((reason) => ({ reason, count: 1 }))],
  }),
  unchecked: unchecked.toSorted(),
});

const notRun = (name: string, version: string | undefined, reason: string): AnalyzerRun => ({
  name,
  version: version ?? 'unknown',
  files: 0,
  status: 'failed',
  origin: 'found',
  leads: 0,
  leftOut: [{ reason, count: 1 }],
  unchecked: [],
});
