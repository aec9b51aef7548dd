import type { Command, CommandType } from '../domain/commands.ts';
import type { AuditEvent } from '../domain/events.ts';
import type { Instant, Token } from '../domain/ids.ts';
import { decideAttempt, expireLeases } from './decide-attempt.ts';
import { decideDerived } from './decide-derived.ts';
import { decideReceive, decideReportInput } from './decide-input.ts';
import { decideJudged } from './decide-judged.ts';
import { decided, isCurrentStage, notCurrent, rejected, type Decision } from './decision.ts';
import { canTake } from './lifecycle.ts';
import { leaseUntil } from '../scheduler/retry-policy.ts';
import { isCooling } from '../scheduler/schedule.ts';
import type { SettingsChange } from '../domain/settings.ts';
import { required } from '../std/assert.ts';
import type { AuditState } from './state.ts';
import { budgetOf, scheduleOf } from './views.ts';

/**
 * What a command means in a state: events, or a rejection. Pure: the state is only read. What must
 * follow by itself in the same commit is not decided here but in `follow`, on the state after these
 * events; `execute` puts the two together.
 */
export const decide = (state: AuditState, command: Command): Decision => {
  const refusal = refuseEarly(state, command);
  if (refusal !== undefined) return refusal;
  switch (command.type) {
    case 'OpenAudit': {
      const { type: _, now, ...fields } = command;
      return decided([{ type: 'AuditOpened', ...fields, at: now }]);
    }
    case 'OpenWriter':
      if (command.epoch <= state.writer.epoch) {
        return rejected('old-epoch', `Epoch ${command.epoch} is not after ${state.writer.epoch}.`);
      }
      return decided([
        {
          type: 'WriterOpened',
          epoch: command.epoch,
          tool: command.tool,
          ...(command.startsMax !== undefined && { startsMax: command.startsMax }),
          ...(command.packetsMax !== undefined && { packetsMax: command.packetsMax }),
          at: command.now,
        },
      ]);
    case 'CloseWriter':
      return decided([{ type: 'WriterClosed', epoch: state.writer.epoch, at: command.now }]);
    case 'Advance':
      return decideAdvance(state, command.now, command.running);
    case 'ReportDerived':
      return decideDerived(state, command);
    case 'ReportStageFailed':
      if (!isCurrentStage(state, command.obligation, command.basis)) return notCurrent();
      return decided([
        {
          type: 'AuditBlocked',
          cause: 'stage-failed',
          message: command.message,
          remedy: command.remedy,
          waitsFor: 'operator',
          at: command.now,
        },
      ]);
    case 'ReportDrift': {
      const paths = command.paths.filter(
        ({ path, found }) => !state.drifted.has(path) || state.drifted.get(path) !== found,
      );
      if (paths.length === 0) return rejected('nothing-changes', 'This drift is known.');
      return decided([{ type: 'InputDrifted', paths, at: command.now }]);
    }
    case 'ReportAttempt':
      return decideAttempt(state, command);
    case 'ReportJudged':
      return decideJudged(state, command);
    case 'ReceiveInput':
      return decideReceive(state, command);
    case 'ReportInput':
      return decideReportInput(state, command);
    case 'ChangeLimits':
      return ifPossible(state, {
        type: 'LimitsChanged',
        changes: command.changes,
        canStart: opensAnAccount(state, command.changes, command.now),
        reason: command.reason,
        at: command.now,
      });
    case 'WaiveObligation':
      return ifPossible(state, {
        type: 'ObligationWaived',
        obligation: command.obligation,
        reason: command.reason,
        atRunTime: command.atRunTime,
        at: command.now,
      });
    case 'BlockAudit':
      return ifPossible(state, {
        type: 'AuditBlocked',
        cause: command.cause,
        message: command.message,
        remedy: command.remedy,
        waitsFor: command.waitsFor,
        ...(command.question !== undefined && { question: command.question }),
        at: command.now,
      });
    case 'Resume':
      if (state.blocker === undefined || state.lifecycle.path !== 'blocked') {
        return rejected('not-blocked', 'The audit is not blocked.');
      }
      if (state.blocker.waitsFor === 'answer' || state.blocker.waitsFor === 'hand-off') {
        return rejected('not-possible-now', `The audit waits: ${state.blocker.remedy}`);
      }
      return decided([{ type: 'AuditResumed', by: command.by, at: command.now }]);
    case 'AnswerQuestion':
      return decideAnswer(state, command);
    case 'RequestStop':
      if (state.writer.stop === command.reason)
        return rejected('repeat', 'It is stopping already.');
      return ifPossible(state, { type: 'StopRequested', reason: command.reason, at: command.now });
  }
};

/** Commands that an audit which is missing, finished or nobody's cannot take at all. */
const refuseEarly = (state: AuditState, command: Command): Decision | undefined => {
  if (command.type === 'OpenAudit') {
    return state.seq === 0 ? undefined : rejected('audit-exists', 'The audit is open already.');
  }
  if (state.opened === undefined) return rejected('no-audit', 'No audit is open.');
  if (command.type === 'OpenWriter') return undefined;
  if (!state.writer.isOpen) return rejected('no-writer', 'No writer is open.');
  if (state.completed !== undefined && !TAKEN_WHEN_COMPLETE.has(command.type)) {
    return rejected('audit-complete', 'The audit is complete.');
  }
  return undefined;
};

/** A late answer is recorded as late; the writer may close; everything else is over. */
const TAKEN_WHEN_COMPLETE: ReadonlySet<CommandType> = new Set([
  'CloseWriter',
  'ReportAttempt',
  'ReceiveInput',
  'ReportInput',
]);

/**
 * The scheduler's turn: leases that ran out end, cooldowns whose time has come elapse, and what may
 * start is started. Ends and starts never share a decision: an end changes what may start.
 */
const decideAdvance = (state: AuditState, now: Instant, running: ReadonlySet<Token>): Decision => {
  const expired = expireLeases(state, now, running);
  if (expired.length > 0) return decided(expired);
  const path = state.lifecycle.path;
  if (path === 'cooldown') {
    const isDue = [...state.accounts.values()].some(
      ({ cooldownUntil, exhausted }) =>
        exhausted === undefined && (cooldownUntil === undefined || cooldownUntil <= now),
    );
    return decided(isDue ? [{ type: 'CooldownElapsed', at: now }] : []);
  }
  if (path !== 'dispatching' && path !== 'ingesting') return decided([]);
  const settings = required(state.settings, 'I4: an audit has settings');
  const { start } = scheduleOf(state, now);
  const events: AuditEvent[] = start.map(({ packet, account }) => ({
    type: 'AttemptStarted',
    packet,
    provider: settings.provider,
    account,
    attempt: (state.packets.get(packet)?.attempts ?? 0) + 1,
    leaseUntil: leaseUntil({ at: now, wallMs: settings.limits.wallMs }),
    at: now,
  }));
  // R35: the starts that one process may make are a limit like the others, counted in the log.
  if (start.length > 0 && budgetOf(state).startsLeft === start.length) {
    events.push({ type: 'StopRequested', reason: 'max-runs', at: now });
  }
  return decided(events);
};

/** It goes into prompts: a few paragraphs, not a file. */
const ANSWER_MAX = 10_000;

/** T20: an unknown question or value is refused whole, naming what would be taken; used once. */
const decideAnswer = (
  state: AuditState,
  command: Extract<Command, { type: 'AnswerQuestion' }>,
): Decision => {
  const open = state.lifecycle.path === 'blocked' ? state.blocker?.question : undefined;
  if (open?.id !== command.question) {
    const hint = open === undefined ? 'No question is open.' : `Open is: ${open.id}.`;
    return rejected('unknown-question', `There is no open question "${command.question}". ${hint}`);
  }
  if (command.value.trim() === '' || command.value.length > ANSWER_MAX) {
    const message = `An answer has 1 to ${ANSWER_MAX} characters, not all of them blank.`;
    return rejected('unknown-value', message);
  }
  if (open.options !== undefined && !open.options.includes(command.value)) {
    const message = `"${command.value}" is no answer to ${open.id}. It takes: ${open.options.join(', ')}.`;
    return rejected('unknown-value', message);
  }
  return decided([
    {
      type: 'OperatorAnswered',
      question: command.question,
      value: command.value,
      at: command.now,
    },
  ]);
};

/** Whether an account that is not cooling comes with the changes. */
const opensAnAccount = (state: AuditState, changes: SettingsChange, now: Instant): boolean =>
  (changes.accounts ?? []).some(({ id }) => {
    const known = state.accounts.get(id);
    return known === undefined || !isCooling(known, now);
  });

const ifPossible = (state: AuditState, event: AuditEvent): Decision =>
  canTake(state.lifecycle, event)
    ? decided([event])
    : rejected(
        'not-possible-now',
        `An audit in ${state.lifecycle.path} does not take ${event.type}.`,
      );
