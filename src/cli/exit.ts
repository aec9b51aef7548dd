import type { ExitReason } from '../domain/run-output.ts';
import { nothingChanged } from '../domain/selection.ts';
import type { StopSignal } from './signals.ts';
import type { AuditState } from '../decider/state.ts';
import { counted } from '../std/counted.ts';

/**
 * Exit codes, the first that holds (protocol section 4): 130/143 by a signal · 2 usage,
 * configuration, damage, internal · 3 stopped and can go on · 1 over the gate · 4 complete but
 * partial, or `--require-complete` with a cell that nobody looked at · 0.
 */
export const EXIT = {
  fine: 0,
  overGate: 1,
  trouble: 2,
  stopped: 3,
  partial: 4,
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export type Exit = {
  readonly code: ExitCode;
  /** One word for the code, and every reason that holds, the code's first. */
  readonly reason: ExitReason;
  readonly reasons: readonly { readonly reason: ExitReason; readonly message: string }[];
};

export type RunOutcome = {
  readonly signal: StopSignal | undefined;
  readonly state: Pick<
    AuditState,
    'completed' | 'blocker' | 'lifecycle' | 'writer' | 'counts' | 'settings'
  >;
  /** ISO instant of the end of the cooldown, when it stands in one. */
  readonly coolsUntil: string | undefined;
  readonly overGate: number;
  readonly failOn: string;
  /** Cells that are failed or not reviewed, and unreadable files. */
  readonly gaps: number;
  readonly requireComplete: boolean;
};

export const exitOf = (outcome: RunOutcome): Exit => {
  const reasons: [ExitCode, ExitReason, string][] = [];
  const { state, signal } = outcome;
  if (signal === 'SIGINT') reasons.push([EXIT.interrupted, 'interrupted', 'Interrupted.']);
  else if (signal !== undefined) reasons.push([EXIT.terminated, 'terminated', 'Terminated.']);
  if (state.completed === undefined) reasons.push(stoppedBy(outcome));
  if (outcome.overGate > 0) {
    const message = `${numberOf(outcome.overGate, 'finding')} of severity ${outcome.failOn} or above.`;
    reasons.push([EXIT.overGate, 'gate', message]);
  }
  if (state.completed?.how === 'partial') {
    reasons.push([EXIT.partial, 'partial', state.completed.reasons.join(' ')]);
  }
  if (outcome.requireComplete && outcome.gaps > 0) {
    const message = `Not everything was looked at: ${counted(outcome.gaps, 'gap')} in the coverage.`;
    reasons.push([EXIT.partial, 'incomplete', message]);
  }
  if (reasons.length === 0) {
    const message = nothingChanged(state.settings?.selection) ?? 'Complete.';
    reasons.push([EXIT.fine, 'complete', message]);
  }
  const [first] = reasons as [[ExitCode, ExitReason, string]];
  return {
    code: first[0],
    reason: first[1],
    reasons: reasons.map(([, reason, message]) => ({ reason, message })),
  };
};

/** An audit that is not complete can always go on; the reason says what it waits for. */
const stoppedBy = ({ state, coolsUntil }: RunOutcome): [ExitCode, ExitReason, string] => {
  if (state.blocker !== undefined) {
    return [EXIT.stopped, 'blocked', `${state.blocker.message} ${state.blocker.remedy}`];
  }
  if (state.lifecycle.path === 'cooldown') {
    const message = `The account's limit is reached; more can start at ${coolsUntil ?? 'a later time'}.`;
    return [EXIT.stopped, 'cooling', message];
  }
  const why =
    state.writer.stop === 'max-runs'
      ? 'The starts of this call are used up'
      : state.writer.stop === 'limit'
        ? 'The packets that this call may begin are done'
        : 'Stopped';
  return [EXIT.stopped, 'stopped', `${why}; ${numberOf(state.counts.tasks.open, 'task')} open.`];
};

const numberOf = (number: number, noun: string): string =>
  `${counted(number, noun)} ${number === 1 ? 'is' : 'are'}`;
