import { relative } from 'node:path';
import { inheritedFrom } from '../decider/inherited.ts';
import { tellBlocker } from '../domain/blocker.ts';
import type { SettingValues } from '../domain/config-merge.ts';
import { tallyFindings } from '../domain/finding-standing.ts';
import type { Selection } from '../domain/selection.ts';
import type { GateSeverity } from '../domain/vocabulary.ts';
import type { AuditState } from '../decider/state.ts';
import type { AuditFiles } from '../engine/audit-files.ts';
import type { RunEnd } from '../engine/engine.ts';
import type { Report, ReportPaths } from '../engine/reporting.ts';
import type { Spend } from '../projections/spend.ts';
import type { Asked } from './asking.ts';
import { exitOf, type Exit } from './exit.ts';
import type { Place } from './locate.ts';
import { coolsUntil } from './progress.ts';
import type { ProviderFlags } from './provide.ts';
import type { SelectionFlags } from './resolve-selection.ts';
import type { StopSignal } from './signals.ts';

export type RunFlags = Asked &
  ProviderFlags &
  SelectionFlags &
  Pick<SettingValues, 'requireComplete' | 'wait' | 'ui'> & {
    readonly grace: number;
    readonly stateDir?: string | undefined;
    readonly maxRuns?: number | undefined;
    /** Packets that this call may begin, to calibrate. */
    readonly limit?: number | undefined;
    readonly takeOver?: boolean | undefined;
    /** A new audit that asks everything anew. */
    readonly fresh?: boolean | undefined;
    /** A new audit that asks what no earlier one has answered. */
    readonly again?: boolean | undefined;
    readonly json?: boolean | undefined;
    /** Rest at the plan. */
    readonly planOnly?: boolean | undefined;
  };

/** What a run leaves for whoever prints it. */
export type RunResult = {
  readonly place: Place;
  readonly files: AuditFiles;
  readonly state: AuditState;
  readonly end: RunEnd | { readonly kind: 'unchanged' };
  readonly report: Report;
  readonly paths: ReportPaths;
  readonly lastSeq: number;
  readonly lastHash: string;
  readonly spend: Spend;
  readonly exit: Exit;
};

/** The one object that `run --json` prints. */
export const runJson = (result: RunResult) => {
  const { state, report, paths, place, exit } = result;
  const inherited = inheritedFrom(state);
  return {
    contract: 'casefile/v1',
    audit: state.opened?.audit,
    state: state.lifecycle.path,
    ...(state.completed && { how: state.completed.how }),
    ...(state.blocker && { blocker: tellBlocker(state.blocker) }),
    ...(state.settings?.selection && { selection: selectionCounts(state.settings.selection) }),
    findings: {
      ...tallyFindings(report.synthesis.findings),
      quarantined: report.synthesis.quarantined.length,
    },
    coverage: report.synthesis.coverage.counts,
    ...(inherited.length > 0 && { inherited }),
    spend: result.spend,
    report: {
      markdown: relative(place.root, paths.markdown),
      json: relative(place.root, paths.json),
    },
    lastSeq: result.lastSeq,
    lastHash: result.lastHash,
    exit,
  };
};

const selectionCounts = ({ kind, asked, base, head, changed, deleted }: Selection) => ({
  kind,
  asked,
  base,
  head,
  changed: changed.length,
  deleted: deleted.length,
});

/** What a run comes to for whoever started it. */
export const exitOfRun = (given: {
  readonly state: AuditState;
  readonly report: Report;
  readonly requireComplete: boolean;
  readonly signal: StopSignal | undefined;
  readonly failOn: GateSeverity;
}): Exit => {
  const { counts, files } = given.report.synthesis.coverage;
  return exitOf({
    signal: given.signal,
    state: given.state,
    coolsUntil: coolsUntil(given.state),
    overGate: given.report.overGate,
    failOn: given.failOn,
    gaps: counts.failed + counts.notReviewed + files.unreadable.length,
    requireComplete: given.requireComplete,
  });
};
