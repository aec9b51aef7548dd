import type { AttemptEnd } from '../../src/domain/attempt-end.ts';
import type { Command, TaskVerdict } from '../../src/domain/commands.ts';
import type { AuditEvent, AuditEventOf, PlannedPacket } from '../../src/domain/events.ts';
import type { BlobRef, Instant, Token } from '../../src/domain/ids.ts';
import type { RejectionCode } from '../../src/domain/vocabulary.ts';
import type { AuditState } from '../../src/decider/state.ts';
import { blob, NO_FINDINGS, packetIdOf, START, taskIdOf } from './samples.ts';

/** Commands in few words, for given-when-then. `now` is the start of the sample audit by default. */

export const LATER = START + 5_000;

export const advance = (now: Instant = LATER, running: readonly Token[] = []): Command => ({
  type: 'Advance',
  running: new Set(running),
  now,
});

export const reports = (
  token: Token,
  end: AttemptEnd,
  answer?: BlobRef,
  now: Instant = LATER,
): Command => ({
  type: 'ReportAttempt',
  token,
  report: { end, ...(answer && { answer }) },
  now,
});

/** An answer that came in from outside, as the log has it. */
export const handsIn = (
  packet: number,
  text: string,
  at: Instant = LATER,
): AuditEventOf<'AnswersImported'> => ({
  type: 'AnswersImported',
  packet: packetIdOf(packet),
  answer: blob(text),
  source: 'file',
  answersWaiting: true,
  at,
});

export const receives = (text: string, now: Instant = LATER): Command => ({
  type: 'ReceiveInput',
  kind: 'answers',
  name: `${text}.json`,
  content: blob(text),
  now,
});

export const opensInput = (
  of: number,
  packets: readonly number[],
  now: Instant = LATER,
): Command => ({ type: 'ReportInput', of, packets: packets.map(packetIdOf), refused: [], now });

export const judges = (
  of: number,
  verdicts: readonly TaskVerdict[],
  remainder?: PlannedPacket,
  now: Instant = LATER,
): Command => ({
  type: 'ReportJudged',
  of,
  verdicts,
  ...(remainder && { remainder }),
  now,
});

export const accepts = (task: number, text = `result ${task}`): TaskVerdict => ({
  kind: 'accepted',
  task: taskIdOf(task),
  result: blob(text),
  verdict: 'clean',
  findings: NO_FINDINGS,
});

export const refuses = (code: RejectionCode, task?: number): TaskVerdict => ({
  kind: 'rejected',
  ...(task !== undefined && { task: taskIdOf(task) }),
  code,
  message: 'It is not as it should be.',
});

/** A stage that is asked for now gives its artifact. */
export const derives = (
  state: AuditState,
  fields: Partial<Extract<Command, { type: 'ReportDerived' }>> = {},
): Command => ({
  type: 'ReportDerived',
  obligation: state.lifecycle.path.replace('deriving.', '') as never,
  basis: state.basis,
  artifact: blob(state.lifecycle.path),
  now: LATER,
  ...fields,
});

/** The event of an attempt that brought an answer. */
export const answered = (token: Token, fields: object = {}): AuditEvent => ({
  type: 'AttemptEnded',
  token,
  end: { kind: 'exited' },
  answer: blob(`answer ${token}`),
  counted: false,
  answersWaiting: true,
  at: START,
  ...fields,
});

export const accepted = (of: number, task: number, fields: object = {}): AuditEvent => ({
  type: 'ResultAccepted',
  of,
  task: taskIdOf(task),
  result: blob(`result ${task}`),
  verdict: 'clean',
  findings: NO_FINDINGS,
  provider: 'scripted',
  reviewer: 'agent',
  at: START,
  ...fields,
});
