import type { EffectType } from '../domain/effects.ts';
import { plan } from '../decider/plan.ts';
import type { AuditState } from '../decider/state.ts';
import { createArtifacts } from '../engine/artifacts.ts';
import { createReportFold, renderReport, reportPaths, writeReport } from '../engine/reporting.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import type { Provider } from '../providers/provider.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';
import { scanLog } from '../store/log-scan.ts';
import { changesFor, gateOf, isAnswerTo } from './asking.ts';
import { isDriftKnown } from './conduct-audit.ts';
import type { Place, ReadAudit } from './locate.ts';
import { exitOfRun, type RunFlags, type RunResult } from './run-result.ts';

/** A finished audit of this very tree that answers what is asked: nothing is to be done. */
export const isAnswered = (
  { state }: ReadAudit,
  flags: RunFlags,
  inventory: Inventory,
): boolean => {
  const { completed, opened, settings } = state;
  if (completed === undefined || opened === undefined || settings === undefined) return false;
  if (opened.inputDigest !== inventory.inputDigest) return false;
  if (flags.provider !== undefined && flags.provider !== settings.provider) return false;
  return isAnswerTo(flags, settings);
};

/** Whether nothing is left that needs nobody: no stage to derive, no answer to open or to judge. */
export const isAtRest = (state: AuditState): boolean =>
  plan(state).every(({ type }) => NEEDS_A_RUN.has(type));

const NEEDS_A_RUN: ReadonlySet<EffectType> = new Set(['RunAttempt', 'StopAttempt', 'WriteReport']);

/**
 * Whether an audit is blocked and would be just as blocked after another look: then no epoch is claimed
 * for nothing.
 */
export const isLeftAlone = async (
  audit: ReadAudit,
  now: {
    readonly flags: RunFlags;
    readonly provider: Provider;
    readonly inventory: Inventory;
  },
): Promise<boolean> => {
  const { state, tail } = audit;
  if (state.lifecycle.path !== 'blocked' || !isAtRest(state) || tail.kind !== 'clean') return false;
  const changes = state.settings && changesFor(now.flags, state.settings, now.provider);
  if (changes !== undefined && state.blocker?.waitsFor !== 'answer') return false;
  return isDriftKnown(audit, now.inventory);
};

/**
 * Claims nothing and appends nothing; report files that are missing or differ are written again, unless
 * it is only looked at.
 */
export const unchangedResult = async (
  audit: ReadAudit,
  place: Place,
  flags: RunFlags,
): Promise<RunResult> => {
  const disk = createNodeDisk();
  const { state, files } = audit;
  const fold = createReportFold();
  for (const commit of audit.commits) fold.add(commit);
  const blobs = createFileBlobStore({ disk, directory: files.directory });
  const until = state.completed?.number ?? audit.position.seq;
  const { position } = await scanLog({ disk, directory: files.directory, until });
  const failOn = gateOf(flags, state);
  const report = await renderReport({
    state,
    spend: fold.spend,
    position,
    artifacts: createArtifacts(blobs),
    blobs,
    failOn,
  });
  return {
    place,
    files,
    state,
    end: { kind: 'unchanged' },
    report,
    paths:
      flags.planOnly === true
        ? reportPaths(files.reports)
        : await writeReport(disk, files.reports, report),
    lastSeq: audit.position.seq,
    lastHash: audit.position.hash,
    spend: fold.spend,
    exit: exitOfRun({
      state,
      report,
      requireComplete: flags.requireComplete === true,
      signal: undefined,
      failOn,
    }),
  };
};
