import fc from 'fast-check';
import type { AttemptEnd } from '../../src/domain/attempt-end.ts';
import type { Commit } from '../../src/domain/commit.ts';
import type { Command, TaskVerdict } from '../../src/domain/commands.ts';
import type { TaskId, Token } from '../../src/domain/ids.ts';
import type { DerivedObligation } from '../../src/domain/vocabulary.ts';
import { execute } from '../../src/decider/execute.ts';
import { plan } from '../../src/decider/plan.ts';
import { initialState, type AuditState } from '../../src/decider/state.ts';
import { digestOf } from '../../src/std/digest.ts';
import * as sample from './samples.ts';

/**
 * Random, lawful histories: a script of numbers drives the core as the shell would, and each number
 * chooses among the commands that could come next. Shrinking a script keeps it lawful.
 */
export type Script = {
  readonly packets: readonly number[];
  /** Derive at once up to the plan, so that most steps meet attempts and answers. */
  readonly isPlanned: boolean;
  readonly steps: readonly number[];
};

/** `packets[i]`: how many tasks packet i has. */
export const script = (stepsMax = 90): fc.Arbitrary<Script> =>
  fc.record({
    packets: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 0, maxLength: 5, size: 'max' }),
    isPlanned: fc.nat({ max: 5 }).map((choice) => choice > 0),
    steps: fc.array(fc.nat({ max: 99_999 }), { maxLength: stepsMax, size: 'max' }),
  });

export type Commits = readonly Pick<Commit, 'seq' | 'events' | 'at' | 'from' | 'to' | 'cause'>[];

export type Walk = { readonly state: AuditState; readonly commits: Commits };

/** Plays a script; `watch` sees the state after each command, with the command. */
export const play = (
  { packets, isPlanned, steps }: Script,
  watch: (state: AuditState, command: Command, commits: Commits) => void = () => undefined,
): Walk => {
  const state = initialState();
  const commits: Pick<Commit, 'seq' | 'events' | 'at' | 'from' | 'to' | 'cause'>[] = [];
  let now = sample.START;
  const give = (command: Command): void => {
    const seq = state.seq + 1;
    const execution = execute(state, command);
    if (execution.kind === 'decided' && execution.events.length > 0) {
      const { events, from, to, cause } = execution;
      commits.push({ seq, events, at: command.now, from, to, cause });
    }
    watch(state, command, commits);
  };
  const opened = sample.auditOpened();
  if (opened.type !== 'AuditOpened') return { state, commits };
  const { type: _, at: __, ...fields } = opened;
  give({ type: 'OpenAudit', ...fields, now });
  give({ type: 'OpenWriter', epoch: 1, tool: '0.1.0', now });
  while (isPlanned && state.lifecycle.path.startsWith('deriving')) {
    const [effect] = plan(state);
    if (effect?.type !== 'DeriveStage' || effect.stage === 'synthesis') break;
    give(reportDerived(packets, effect.stage, effect.basis, now));
  }
  for (const step of steps) {
    now += step % 7 === 0 ? 20_000 + (step % 5) * 40_000 : step % 300;
    const command = choose(state, packets, step, now);
    if (command !== undefined) give(command);
  }
  return { state, commits };
};

/** Plays on, with willing agents and no further trouble, until the audit is complete or blocked. */
export const finish = (walk: Walk, packets: readonly number[]): AuditState => {
  const { state } = walk;
  let now = state.at;
  for (let step = 0; step < 500 && state.completed === undefined; step += 1) {
    now += 30_000;
    if (!state.writer.isOpen || state.writer.stop !== undefined) {
      execute(state, { type: 'OpenWriter', epoch: state.writer.epoch + 1, tool: '0.1.0', now });
    }
    const command = willing(state, packets, now);
    execute(state, command);
  }
  return state;
};

const openQuestion = (state: AuditState): string => state.blocker?.question?.id ?? 'q';

const willing = (state: AuditState, packets: readonly number[], now: number): Command => {
  if (state.lifecycle.path === 'blocked') {
    return state.blocker?.waitsFor === 'answer'
      ? { type: 'AnswerQuestion', question: openQuestion(state), value: 'v', now }
      : { type: 'Resume', by: 'run', now };
  }
  const [effect] = plan(state);
  if (effect === undefined || effect.type === 'WriteReport') {
    const [token] = state.leases;
    return token === undefined
      ? { type: 'Advance', running: new Set(), now }
      : {
          type: 'ReportAttempt',
          token,
          report: { end: { kind: 'cancelled', by: 'settled' } },
          now,
        };
  }
  switch (effect.type) {
    case 'DeriveStage':
      return reportDerived(packets, effect.stage, effect.basis, now);
    case 'StopAttempt':
      return {
        type: 'ReportAttempt',
        token: effect.token,
        report: { end: { kind: 'cancelled', by: 'settled' } },
        now,
      };
    case 'RunAttempt':
      return {
        type: 'ReportAttempt',
        token: effect.token,
        report: { end: { kind: 'exited' }, answer: sample.blob(`answer ${effect.token}`) },
        now,
      };
    case 'OpenInput':
      return {
        type: 'ReportInput',
        of: effect.of,
        packets: [...state.packets.keys()].slice(0, 1),
        refused: [],
        now,
      };
    case 'JudgeAnswer':
      return {
        type: 'ReportJudged',
        of: effect.of,
        verdicts: (state.packets.get(effect.packet)?.spec.tasks ?? []).map(accepted),
        now,
      };
  }
};

const choose = (
  state: AuditState,
  packets: readonly number[],
  step: number,
  now: number,
): Command | undefined => {
  const effects = plan(state);
  const running = new Set<Token>(step % 3 === 0 ? [] : state.leases);
  const options: (() => Command | undefined)[] = [() => ({ type: 'Advance', running, now })];
  for (const effect of effects) {
    switch (effect.type) {
      case 'DeriveStage':
        options.push(() =>
          step % 23 === 0
            ? {
                type: 'ReportStageFailed',
                obligation: effect.stage,
                basis: effect.basis,
                message: 'It failed.',
                remedy: 'Try again.',
                now,
              }
            : reportDerived(packets, effect.stage, effect.basis, now),
        );
        break;
      case 'RunAttempt':
      case 'StopAttempt':
        options.push(() => reportAttempt(effect.token, step, now));
        break;
      case 'JudgeAnswer':
        options.push(() => reportJudged(state, effect.of, effect.packet, step, now));
        break;
      case 'OpenInput':
        options.push(() => ({
          type: 'ReportInput',
          of: effect.of,
          packets: [...state.packets.keys()].filter((_, index) => (step + index) % 3 === 0),
          refused:
            step % 5 === 0 ? [{ code: 'unknown-task', message: 'There is no such task.' }] : [],
          now,
        }));
        break;
      case 'WriteReport':
        break;
    }
  }
  // Every seventh step or so is something that seldom happens.
  return step % 7 === 3 ? rare(state, step >> 3, now) : options[step % options.length]?.();
};

const rare = (state: AuditState, step: number, now: number): Command | undefined => {
  const tokens = [...state.attempts.keys()];
  const token = tokens[step % Math.max(1, tokens.length)];
  const ids = [...state.packets.keys()];
  const packet = ids[step % Math.max(1, ids.length)];
  switch (step % 11) {
    case 0:
      return state.writer.isOpen
        ? { type: 'CloseWriter', now }
        : { type: 'OpenWriter', epoch: state.writer.epoch + 1, tool: '0.1.0', now };
    case 1:
      return {
        type: 'OpenWriter',
        epoch: state.writer.epoch + 1,
        tool: '0.1.0',
        ...(step % 2 === 0 && { startsMax: 1 + (step % 3) }),
        ...(step % 5 === 0 && { packetsMax: 1 + (step % 2) }),
        now,
      };
    case 2:
      return token === undefined ? undefined : reportAttempt(token, step, now);
    case 3:
      return packet === undefined
        ? undefined
        : {
            type: 'ReceiveInput',
            kind: 'answers',
            name: 'answer.json',
            content: sample.blob(`handed in ${step % 3}`),
            now,
          };
    case 4:
      return { type: 'RequestStop', reason: 'operator', now };
    case 5:
      return { type: 'Resume', by: 'run', now };
    case 6:
      return {
        type: 'ChangeLimits',
        changes: {
          accounts: [{ id: sample.ACCOUNT, ceiling: 1 + (step % 4), source: 'declared' }],
        },
        reason: 'asked for',
        now,
      };
    case 7:
      return {
        type: 'ReportDrift',
        paths: [
          {
            path: `src/f${1 + (step % 4)}.ts`,
            expected: sample.blob('a').digest,
            found: sample.blob('b').digest,
          },
        ],
        now,
      };
    case 8:
      return {
        type: 'BlockAudit',
        cause: 'answer-needed',
        message: 'A question.',
        remedy: 'Answer it.',
        waitsFor: step % 2 === 0 ? 'answer' : 'operator',
        ...(step % 2 === 0 && { question: { id: 'q', text: 'A question.' } }),
        now,
      };
    case 9:
      return { type: 'AnswerQuestion', question: openQuestion(state), value: 'v', now };
    default:
      return { type: 'OpenWriter', epoch: state.writer.epoch + 1, tool: '0.1.0', now };
  }
};

const reportDerived = (
  packets: readonly number[],
  obligation: DerivedObligation,
  basis: number,
  now: number,
): Command => {
  let next = 1;
  const tasks = packets.map((size) => Array.from({ length: size }, () => next++));
  return {
    type: 'ReportDerived',
    obligation,
    basis,
    artifact: sample.blob(`${obligation} ${basis}`),
    ...(obligation === 'planning' && {
      tasks: tasks.flat().map((number) => sample.task(number)),
      packets: tasks.map((numbers, index) => sample.packet(index + 1, numbers)),
    }),
    now,
  };
};

const reportAttempt = (token: Token, step: number, now: number): Command => {
  const ends: AttemptEnd[] = [
    { kind: 'exited' },
    { kind: 'crashed', exitCode: 1 },
    { kind: 'timed-out', limit: 'wall', afterMs: 10 },
    { kind: 'limited', limit: 'rate', resetAt: now + 90_000 },
    { kind: 'limited', limit: 'quota' },
    { kind: 'overloaded' },
    { kind: 'lost' },
    { kind: 'cancelled', by: 'operator' },
    { kind: 'not-started', message: 'no such program' },
    { kind: 'asked', question: 'May I?', options: ['v', 'w'] },
  ];
  const hasAnswer = step % 2 === 0;
  return {
    type: 'ReportAttempt',
    token,
    report: {
      end: ends[step % ends.length] as AttemptEnd,
      ...(hasAnswer && { answer: sample.blob(`answer ${token} ${step % 2}`) }),
    },
    now,
  };
};

const accepted = (task: TaskId): TaskVerdict => ({
  kind: 'accepted',
  task,
  result: sample.blob(`result ${task}`),
  verdict: 'clean',
  findings: sample.NO_FINDINGS,
});

const reportJudged = (
  state: AuditState,
  of: number,
  packetId: string,
  step: number,
  now: number,
): Command => {
  const packet = state.packets.get(packetId as never);
  const tasks = packet?.spec.tasks ?? [];
  const verdicts = tasks.flatMap((task, index): TaskVerdict[] => {
    switch ((step + index * 7) % 4) {
      case 0:
      case 1:
        return [accepted(task)];
      case 2:
        return [{ kind: 'rejected', task, code: 'wrong-shape', message: 'It has no severity.' }];
      default:
        return [];
    }
  });
  const remaining = tasks.filter(
    (task) =>
      state.tasks.get(task)?.status === 'open' &&
      !verdicts.some((verdict) => verdict.kind === 'accepted' && verdict.task === task),
  );
  const isWhole = step % 9 === 0;
  return {
    type: 'ReportJudged',
    of,
    verdicts: isWhole
      ? [{ kind: 'rejected', code: 'unreadable-answer', message: 'It is not JSON.' }]
      : verdicts,
    ...(remaining.length > 0 &&
      !isWhole && {
        remainder: {
          id: `p-${digestOf([packetId, remaining]).slice(0, 16)}` as never,
          tasks: remaining,
          tokens: 10,
          prompt: sample.blob(`remainder ${remaining.join()}`),
        },
      }),
    now,
  };
};
