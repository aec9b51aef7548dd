import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { evolve } from '../../src/decider/evolve.ts';
import { execute } from '../../src/decider/execute.ts';
import { initialState, type AuditState } from '../../src/decider/state.ts';
import * as sample from '../helpers/samples.ts';

/** What of a state must not depend on who answered first: everything but numbers and times. */
const essence = (state: AuditState) => ({
  path: state.lifecycle.path,
  counts: state.counts,
  completed: state.completed,
  tasks: [...state.tasks.values()]
    .map(({ id, status, result }) => ({ id, status, result: result?.blob.digest }))
    .toSorted((left, right) => (left.id < right.id ? -1 : 1)),
  packets: [...state.packets.values()].map(({ spec, status, counted }) => [
    spec.id,
    status,
    counted,
  ]),
});

test('findings do not depend on the order in which different tasks are answered', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }).chain((count) =>
        fc.record({
          kinds: fc.array(fc.constantFrom('clean', 'findings', 'refused', 'silent'), {
            minLength: count,
            maxLength: count,
          }),
          order: fc.shuffledSubarray(
            Array.from({ length: count }, (_, index) => index),
            { minLength: count, maxLength: count },
          ),
        }),
      ),
      ({ kinds, order }) => {
        const inOrder = order.toSorted((left, right) => left - right);
        expect(essence(answered(kinds, order))).toEqual(essence(answered(kinds, inOrder)));
      },
    ),
    { numRuns: 300 },
  );
});

/** Starts every packet, answers them in the given order, and judges each answer as it comes. */
const answered = (kinds: readonly string[], order: readonly number[]): AuditState => {
  const packets = kinds.map((_, index) => [index + 1]);
  const history = sample.planned(packets, {
    accounts: [{ id: sample.ACCOUNT, ceiling: kinds.length, source: 'declared' }],
    limits: { attemptsMax: 1, wallMs: 1000, idleMs: 1000, outputBytesMax: 1000 },
  });
  const state = history.reduce(evolve, initialState());
  const give = (command: Command): void => {
    expect(execute(state, command).kind).toBe('decided');
  };
  const now = sample.START;
  give({ type: 'Advance', running: new Set(), now });
  const tokens = [...state.leases];
  for (const index of order) {
    const kind = kinds[index] as string;
    give({
      type: 'ReportAttempt',
      token: tokens[index] as number,
      report: {
        end: { kind: 'exited' },
        ...(kind !== 'silent' && { answer: sample.blob(`answer ${index}`) }),
      },
      now,
    });
    const [of] = state.queue.keys();
    if (of === undefined) continue;
    const task = sample.taskIdOf(index + 1);
    give({
      type: 'ReportJudged',
      of,
      verdicts: [
        kind === 'refused'
          ? { kind: 'rejected', task, code: 'wrong-shape', message: 'It has no severity.' }
          : {
              kind: 'accepted',
              task,
              result: sample.blob(`result ${index}`),
              verdict: kind === 'clean' ? 'clean' : 'findings',
              findings: sample.NO_FINDINGS,
            },
      ],
      now,
    });
  }
  return state;
};
