import { join } from 'node:path';
import type { AnalyzerSummary } from '../domain/analyzer-summary.ts';
import type { Commit, LogPosition } from '../domain/commit.ts';
import { storedNarrative } from '../domain/narrative.ts';
import type { Synthesis } from '../domain/synthesis.ts';
import type { GateSeverity } from '../domain/vocabulary.ts';
import type { AuditState } from '../decider/state.ts';
import { incompleteness } from '../decider/follow.ts';
import { gate } from '../pipeline/gate.ts';
import type { Disk } from '../platform/disk.ts';
import { createSpend, foldSpend, type Spend } from '../projections/spend.ts';
import { findingsJson } from '../reporters/findings-json.ts';
import type { ReportInput } from '../reporters/report-input.ts';
import { reportMarkdown } from '../reporters/report-md.ts';
import { inheritedFrom } from '../decider/inherited.ts';
import { required } from '../std/assert.ts';
import { counted } from '../std/counted.ts';
import { isoTime } from '../std/instant-text.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { Artifacts } from './artifacts.ts';
import { isDraftOf, replaceFile } from './replace-file.ts';
import { synthesizeState } from './synthesis.ts';

/**
 * Folds what the reports need besides the state. After `AuditCompleted` it stands still: what comes
 * later never changes the report.
 */
export type ReportFold = {
  readonly spend: Spend;
  readonly add: (commit: Pick<Commit, 'events'>) => void;
};

export const createReportFold = (): ReportFold => {
  const spend = createSpend();
  let isComplete = false;
  return {
    spend,
    add: ({ events }) => {
      for (const event of events) {
        if (isComplete) return;
        foldSpend(spend, event);
        isComplete = event.type === 'AuditCompleted';
      }
    },
  };
};

export type Report = {
  readonly markdown: string;
  readonly json: string;
  readonly synthesis: Synthesis;
  /** What analyzers there were, and what each did. */
  readonly analyzers: readonly AnalyzerSummary[];
  /** Findings that exceed the gate. */
  readonly overGate: number;
};

/**
 * Renders the reports of a state: pure but for reading blobs, so the same log gives the same bytes.
 *
 * @param given.position of the `AuditCompleted` line; of a partial report, of the last folded one.
 */
export const renderReport = async (given: {
  readonly state: AuditState;
  readonly spend: Spend;
  readonly position: LogPosition;
  readonly artifacts: Artifacts;
  readonly blobs: BlobStore;
  readonly failOn: GateSeverity;
}): Promise<Report> => {
  const { state, spend, position, artifacts, blobs, failOn } = given;
  const opened = required(state.opened, 'I4: an audit is open');
  const settings = required(state.settings, 'I4: an audit has settings');
  const synthesis =
    (state.completed && (await artifacts.find(state, 'synthesis'))) ??
    (await synthesizeState(state, artifacts, blobs)).synthesis;
  const overGate = gate(synthesis.findings, failOn).length;
  const input: ReportInput = {
    audit: opened.audit,
    root: {
      name: opened.root.name,
      inventory: opened.root.inventory,
      ...(opened.root.commit !== undefined && { commit: opened.root.commit }),
    },
    inputDigest: opened.inputDigest,
    tool: opened.tool,
    settings: { ...settings, failOn },
    state: state.lifecycle.path,
    ...(state.completed && { how: state.completed.how }),
    reasons: state.completed?.reasons ?? unfinished(state),
    position,
    startedAt: isoTime(opened.at),
    endedAt: isoTime(state.completed?.at ?? state.at),
    synthesis,
    ...(await narrativeOf(state, blobs)),
    spend,
    inherited: inheritedFrom(state),
    analyzers: (await artifacts.find(state, 'enrichment'))?.analyzers ?? [],
    runtime: (await artifacts.find(state, 'runtimeValidation'))?.checks,
    overGate,
  };
  const { analyzers } = input;
  return {
    markdown: reportMarkdown(input),
    json: findingsJson(input),
    synthesis,
    analyzers,
    overGate,
  };
};

/** What an agent wrote of it all, unless something was found out since. */
const narrativeOf = async (
  state: AuditState,
  blobs: BlobStore,
): Promise<Pick<ReportInput, 'narrative'>> => {
  const record = state.obligations.get('narrative');
  if (record?.state !== 'current' || record.artifact === undefined) return {};
  const bytes = await blobs.get(record.artifact.digest);
  const read = storedNarrative.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  return read.success ? { narrative: read.data.narrative } : {};
};

const unfinished = (state: AuditState): string[] => {
  const { open } = state.counts.tasks;
  return [
    ...(state.blocker ? [`${state.blocker.message} ${state.blocker.remedy}`] : []),
    ...(open > 0 ? [`${counted(open, 'task')} not reviewed yet.`] : []),
    ...incompleteness(state),
  ];
};

export type ReportPaths = { readonly markdown: string; readonly json: string };

/** Where the reports of a folder lie. */
export const reportPaths = (folder: string): ReportPaths => ({
  markdown: join(folder, 'report.md'),
  json: join(folder, 'findings.json'),
});

/** Writes the reports beside the log, each only when it is missing or different. */
export const writeReport = async (
  disk: Disk,
  folder: string,
  report: Pick<Report, 'markdown' | 'json'>,
): Promise<ReportPaths> => {
  const paths = reportPaths(folder);
  await disk.makeDirectory(folder);
  await replaceFile(disk, paths.markdown, report.markdown);
  await replaceFile(disk, paths.json, report.json);
  return paths;
};

const REPORT_FILES = ['report.md', 'findings.json'] as const;

/** Removes what killed processes left aside. For the audit's owner, which is the only one to do so. */
export const sweepReports = async (disk: Disk, folder: string): Promise<void> => {
  for (const name of await disk.list(folder)) {
    if (isDraftOf(name, REPORT_FILES)) await disk.remove(join(folder, name)).catch(() => undefined);
  }
};
