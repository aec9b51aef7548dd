import { describe, expect, test } from 'vitest';
import type { AttemptEnd } from '../../src/domain/attempt-end.ts';
import type { Command } from '../../src/domain/commands.ts';
import { whyOf } from '../../src/decider/views.ts';
import {
  accepts,
  advance,
  handsIn,
  judges,
  LATER,
  refuses,
  reports,
} from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import { ACCOUNT, blob, packetIdOf, planned } from '../helpers/samples.ts';
import { after } from '../helpers/whole-audit.ts';

/** Tokens of the first two attempts. */
const [FIRST, SECOND] = [12, 13];
const asked: AttemptEnd = { kind: 'asked', question: 'May I?', options: ['yes', 'no'] };
const answer = (question: string, value = 'yes'): Command => ({
  type: 'AnswerQuestion',
  question,
  value,
  now: LATER,
});
const one = after(planned([[1]]), advance());
const two = after(planned([[1], [2]]), advance());
const blocked = after(one, reports(FIRST, asked));

describe('an attempt that asks', () => {
  test('is not counted, and the audit waits for the answer', () => {
    const walk = given(...one).when(reports(FIRST, asked));
    walk.then(
      { type: 'AttemptEnded', end: asked, counted: false },
      { type: 'IngestionFinished' },
      {
        type: 'AuditBlocked',
        cause: 'answer-needed',
        waitsFor: 'answer',
        question: { id: `q-${FIRST}`, text: 'May I?', options: ['yes', 'no'] },
        remedy: `Answer it with: casefile answer q-${FIRST} yes|no`,
      },
    );
    const { packets, counts } = walk.state;
    expect(packets.get(packetIdOf(1))).toMatchObject({ status: 'ready', counted: 0, attempts: 1 });
    expect(counts.attempts).toMatchObject({ asked: 1, failed: 0 });
  });

  test('holds back every start, and says why', () => {
    given(...blocked)
      .when(advance(LATER + 100_000))
      .thenTypes();
    const { state } = given(...after(two, reports(FIRST, asked)));
    expect(whyOf(state, LATER, packetIdOf(1))).toEqual({ kind: 'question' });
  });

  test('is not passed by resuming, by other limits or by the next process (T20)', () => {
    given(...blocked)
      .when({ type: 'Resume', by: 'run', now: LATER })
      .rejects('not-possible-now');
    const accounts = [{ id: ACCOUNT, ceiling: 4, source: 'declared' as const }];
    given(...blocked)
      .when({ type: 'ChangeLimits', changes: { accounts }, reason: 'asked for', now: LATER })
      .thenTypes('LimitsChanged', 'AuditBlocked');
    given(...after(blocked, { type: 'OpenWriter', epoch: 2, tool: '0.1.0', now: LATER }))
      .when(advance(LATER + 100_000))
      .thenTypes();
  });

  test('lets the others in flight answer; what they bring is judged, and the block stands', () => {
    const other = after(two, reports(FIRST, asked), reports(SECOND, { kind: 'exited' }, blob('a')));
    const of = given(...other).state.seq;
    const walk = given(...other).when(judges(of, [accepts(2)]));
    walk.then({ type: 'ResultAccepted' }, { type: 'IngestionFinished', blocked: true });
    expect(walk.state.lifecycle.path).toBe('blocked');
  });

  test('and another that asks are answered one after the other', () => {
    const both = after(two, reports(FIRST, asked), reports(SECOND, asked));
    expect(given(...both).state.blocker?.question?.id).toBe(`q-${FIRST}`);
    given(...both)
      .when(answer(`q-${SECOND}`))
      .rejects('unknown-question');
    given(...both)
      .when(answer(`q-${FIRST}`))
      .then(
        { type: 'OperatorAnswered' },
        { type: 'AuditBlocked', question: { id: `q-${SECOND}` } as never },
      );
    given(...after(both, answer(`q-${FIRST}`), answer(`q-${SECOND}`, 'no')))
      .when(advance())
      .thenTypes('AttemptStarted', 'AttemptStarted');
  });
});

describe('the operator’s answer', () => {
  test('is taken when it is one of the options, and only while it is asked for', () => {
    given(...blocked)
      .when(answer(`q-${FIRST}`, 'perhaps'))
      .rejects('unknown-value');
    given(...blocked)
      .when(answer('q-1'))
      .rejects('unknown-question');
    given(...after(blocked, answer(`q-${FIRST}`)))
      .when(answer(`q-${FIRST}`, 'no'))
      .rejects('unknown-question');
  });

  test('of any text is taken where no options were given', () => {
    const open = after(one, reports(FIRST, { kind: 'asked', question: 'Which one?' }));
    expect(given(...open).state.blocker?.remedy).toContain(`q-${FIRST} TEXT`);
    given(...open)
      .when(answer(`q-${FIRST}`, 'the third'))
      .thenTypes('OperatorAnswered');
  });

  test('goes to the next attempt at the packet that comes to an answer, and to no later one (T20)', () => {
    const next = after(blocked, answer(`q-${FIRST}`), advance());
    const usedBy = (events: typeof next) =>
      given(...events).state.questions.get(`q-${FIRST}`)?.usedBy;
    const token = next.length;
    expect(usedBy(next)).toBe(token);
    // Who crashed has not used it.
    const again = after(
      next,
      reports(token, { kind: 'crashed', exitCode: 1 }),
      advance(LATER + 100_000),
    );
    expect(usedBy(again)).toBe(again.length);
    const refused = after(
      again,
      reports(again.length, { kind: 'exited' }, blob('garbage'), LATER + 100_001),
      ({ queue }) =>
        judges(
          [...queue.keys()][0] ?? 0,
          [refuses('unreadable-answer')],
          undefined,
          LATER + 100_002,
        ),
      advance(LATER + 900_000),
    );
    expect(given(...refused).state.leases.size).toBe(1);
    expect(usedBy(refused)).toBe(again.length);
  });

  test('does not go to an attempt at another packet', () => {
    const limited = planned([[1], [2]], {
      accounts: [{ id: ACCOUNT, ceiling: 1, source: 'declared' }],
    });
    const first = after(limited, advance(), reports(FIRST, asked), answer(`q-${FIRST}`));
    const { state } = given(
      ...after(first, handsIn(1, 'by hand'), judges(first.length + 1, [accepts(1)]), advance()),
    );
    expect(state.leases.size).toBe(1);
    expect(state.questions.get(`q-${FIRST}`)?.usedBy).toBeUndefined();
  });
});

describe('a question that is nobody’s any more', () => {
  test('since its packet was settled by hand blocks nothing', () => {
    const settled = after(two, reports(FIRST, asked), handsIn(1, 'by hand'));
    const walk = given(...settled).when(judges(settled.length, [accepts(1)]));
    walk.then({ type: 'ResultAccepted' }, { type: 'IngestionFinished', blocked: false });
    expect([walk.state.lifecycle.path, walk.state.blocker]).toEqual(['dispatching', undefined]);
  });

  test('since the last open tasks went stale ends with them', () => {
    const drift = { path: 'src/f1.ts', expected: blob('before').digest };
    const walk = given(...blocked).when({ type: 'ReportDrift', paths: [drift], now: LATER });
    walk.thenTypes('InputDrifted', 'ArtifactsStale', 'ObligationWaived');
    expect(walk.state.lifecycle.path).toBe('deriving.synthesis');
  });
});

test('a blank or endless answer is refused, and the question stays open', () => {
  for (const value of ['', ' \n', 'x'.repeat(10_001)]) {
    given(...blocked)
      .when(answer(`q-${FIRST}`, value))
      .rejects('unknown-value');
  }
});
