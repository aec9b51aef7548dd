import type { Commit } from '../../domain/commit.ts';
import { lastNumberOf } from '../../domain/commit.ts';
import { evolveCommit } from '../../decider/evolve.ts';
import { checkInvariants } from '../../decider/invariants.ts';
import { initialState, type AuditState } from '../../decider/state.ts';
import { statusOf } from '../../decider/status.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { createFindingCounts, foldFindingCounts } from '../../projections/finding-counts.ts';
import { createSpend, foldSpend } from '../../projections/spend.ts';
import { chosenAudit, locate } from '../locate.ts';
import { terminal } from '../terminal.ts';
import { EXIT } from '../exit.ts';
import { UsageError } from '../../domain/usage-error.ts';
import { sayTornTail, type ReadFlags } from './status.ts';

export type ReplayFlags = ReadFlags & {
  readonly to?: number | undefined;
  readonly at?: number | undefined;
  readonly verify?: boolean | undefined;
};

/**
 * `casefile replay`: folds the log to any point and prints the state there. It starts nothing and
 * writes nothing. `--verify` compares each commit's recorded transition with the chart's.
 */
export const replayCommand = async (
  root: string | undefined,
  flags: ReplayFlags,
): Promise<number> => {
  if (flags.to !== undefined && flags.at !== undefined) {
    throw new UsageError('--to and --at exclude each other.', 'Give one of them.');
  }
  const place = await locate(root, flags.stateDir);
  const audit = await chosenAudit(createNodeDisk(), place, flags.audit);
  sayTornTail(audit);
  const replay = fold(upTo(audit.commits, flags), flags);
  const { seq } = replay.status;
  if (flags.to !== undefined && flags.to !== seq) {
    terminal.say(
      flags.to > audit.position.seq
        ? `The log ends with event ${audit.position.seq}.`
        : `Event ${flags.to} is within a commit, which happens at once or not at all: shown is the state after event ${seq}.`,
    );
  }
  if (flags.json === true) {
    // The status alone, unless more is asked for: it equals what `status --json` said then.
    terminal.json(
      flags.verify === true ? { ...replay.status, verified: replay.verified } : replay.status,
    );
  } else terminal.answer(replayText(replay));
  const { differences } = replay.verified;
  return differences.length > 0 ? EXIT.overGate : EXIT.fine;
};

/** Whole commits up to an event number or an instant: a commit happens at once or not at all. */
const upTo = (commits: readonly Commit[], { to, at }: ReplayFlags): readonly Commit[] => {
  if (to !== undefined) return commits.filter((commit) => lastNumberOf(commit) <= to);
  if (at !== undefined) return commits.filter((commit) => commit.at <= at);
  return commits;
};

type Difference = { readonly seq: number; readonly recorded: string; readonly replayed: string };

const fold = (commits: readonly Commit[], flags: ReplayFlags) => {
  const state = initialState();
  const findings = createFindingCounts();
  const spend = createSpend();
  const differences: Difference[] = [];
  for (const commit of commits) {
    const before = state.lifecycle.path;
    evolveCommit(state, commit);
    for (const event of commit.events) {
      foldFindingCounts(findings, event);
      foldSpend(spend, event);
    }
    if (flags.verify !== true) continue;
    const recorded = `${commit.from} → ${commit.to}`;
    const replayed = `${before} → ${state.lifecycle.path}`;
    if (recorded !== replayed) differences.push({ seq: commit.seq, recorded, replayed });
  }
  if (flags.verify === true) checkInvariants(state);
  return {
    state,
    status: statusOf(state),
    findings: { total: findings.total, bySeverity: findings.bySeverity },
    spend,
    isVerified: flags.verify === true,
    verified: { commits: commits.length, differences },
  };
};

const replayText = (replay: ReturnType<typeof fold>): string => {
  const { status, findings, spend, verified } = replay;
  if (status.seq === 0) return 'Before the first event there is no audit.';
  return [
    `After event ${status.seq} (${status.at}) audit ${status.audit} was in ${status.state}${status.how === undefined ? '' : ` (${status.how})`}.`,
    `  tasks      ${status.tasks.accepted} accepted, ${status.tasks.open} open, ${status.tasks.abandoned} abandoned of ${status.tasks.total}`,
    `  attempts   ${spend.attempts.started} started, ${spend.attempts.ended} ended, ${spend.attempts.counted} counted`,
    `  findings   ${findings.total} stated (before those of one defect are joined)`,
    ...waitingText(replay.state),
    ...(replay.isVerified
      ? [
          verified.differences.length === 0
            ? `  verified   ${verified.commits} commits: every recorded transition is the chart's`
            : `  verified   ${verified.differences.length} of ${verified.commits} commits differ from the chart:`,
          ...verified.differences.map(
            ({ seq, recorded, replayed }) =>
              `    event ${seq}: recorded ${recorded}, replayed ${replayed}`,
          ),
        ]
      : []),
  ].join('\n');
};

const waitingText = ({ blocker }: AuditState): string[] =>
  blocker === undefined ? [] : [`  blocked    ${blocker.message} ${blocker.remedy}`];
