import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import type { WaitsFor } from '../../src/domain/events.ts';
import { advance, handsIn, LATER, reports } from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import { ACCOUNT, blob, planned } from '../helpers/samples.ts';
import { after, reviewed } from '../helpers/whole-audit.ts';

const TOKEN = 12;
const blocks = (waitsFor: WaitsFor) =>
  ({
    type: 'BlockAudit',
    cause: waitsFor === 'hand-off' ? 'hand-off' : 'answer-needed',
    message: 'Which database?',
    remedy: 'Answer it.',
    waitsFor,
    ...(waitsFor === 'answer' && {
      question: { id: 'db', text: 'Which database?', options: ['postgres', 'sqlite'] },
    }),
    now: LATER,
  }) as const;
const blocked = (waitsFor: WaitsFor) => after(planned([[1], [2]]), blocks(waitsFor));
const resume = { type: 'Resume', by: 'run', now: LATER } as const;

describe('a stop', () => {
  const stop = { type: 'RequestStop', reason: 'operator', now: LATER } as const;

  test('holds back every further start until the next process', () => {
    const stopped = after(planned([[1], [2]]), stop);
    given(...stopped)
      .when(advance())
      .thenTypes();
    given(...after(stopped, { type: 'OpenWriter', epoch: 2, tool: '0.1.0', now: LATER }))
      .when(advance())
      .thenTypes('AttemptStarted', 'AttemptStarted');
  });

  test('asked for twice is a repeat; another reason is news', () => {
    const stopped = after(planned([[1]]), stop);
    given(...stopped)
      .when(stop)
      .rejects('repeat');
    given(...stopped)
      .when({ ...stop, reason: 'signal' })
      .thenTypes('StopRequested');
  });

  test('lets what is in flight answer', () => {
    const stopped = after(planned([[1], [2]]), advance(), stop);
    given(...stopped)
      .when(reports(TOKEN, { kind: 'exited' }, blob('answer')))
      .thenTypes('AttemptEnded');
  });

  test('is possible in every state that is not the end', () => {
    for (const history of [planned([[1]]), blocked('answer'), reviewed()]) {
      given(...history)
        .when(stop)
        .thenTypes('StopRequested');
    }
  });
});

describe('a blocked audit', () => {
  test('starts nothing', () => {
    given(...blocked('operator'))
      .when(advance())
      .thenTypes();
  });

  test('goes on by itself only when it waits for nobody in particular', () => {
    given(...blocked('operator'))
      .when(resume)
      .then({ type: 'AuditResumed', by: 'run' });
    given(...blocked('limits'))
      .when(resume)
      .thenTypes('AuditResumed');
    given(...blocked('answer'))
      .when(resume)
      .rejects('not-possible-now');
    given(...blocked('hand-off'))
      .when(resume)
      .rejects('not-possible-now');
  });

  test('cannot be resumed when it is not blocked', () => {
    given(...planned([[1]]))
      .when(resume)
      .rejects('not-blocked');
  });

  test('takes the answer that it waits for, and no other', () => {
    const answer = {
      type: 'AnswerQuestion',
      question: 'db',
      value: 'postgres',
      now: LATER,
    } as const;
    const walk = given(...blocked('answer')).when(answer);
    walk.then({ type: 'OperatorAnswered', question: 'db', value: 'postgres' });
    expect(walk.state.blocker).toBeUndefined();
    expect(walk.state.lifecycle.path).toBe('dispatching');
    given(...blocked('answer'))
      .when({ ...answer, question: 'dbs' })
      .rejects('unknown-question');
    given(...blocked('answer'))
      .when({ ...answer, value: 'oracle' })
      .rejects('unknown-value');
    given(...after(blocked('answer'), answer))
      .when(answer)
      .rejects('unknown-question');
    given(...blocked('operator'))
      .when(answer)
      .rejects('unknown-question');
    given(...planned([[1]]))
      .when(answer)
      .rejects('unknown-question');
  });

  test('is still blocked after an answer of an agent was judged (M5)', () => {
    const events = after(blocked('answer'), handsIn(1, 'by hand'));
    const of = given(...events).state.seq;
    const walk = given(...events).when({ type: 'ReportJudged', of, verdicts: [], now: LATER });
    walk.then({ type: 'ResultRejected' }, { type: 'IngestionFinished', blocked: true });
    expect(walk.state.lifecycle.path).toBe('blocked');
  });

  test('resets no counter when it is resumed', () => {
    const crashed = after(
      planned([[1]]),
      advance(),
      reports(TOKEN, { kind: 'lost' }),
      blocks('operator'),
    );
    const { state } = given(...after(crashed, resume));
    expect([...state.packets.values()][0]).toMatchObject({ counted: 1, attempts: 1 });
  });

  test('that no provider could serve tries again when it is resumed', () => {
    const failed = after(
      planned([[1]]),
      advance(),
      reports(TOKEN, { kind: 'not-started', message: 'no such program' }),
    );
    expect(given(...failed).state.lifecycle.path).toBe('blocked');
    given(...after(failed, resume))
      .when(advance())
      .thenTypes('AttemptStarted');
  });
});

describe('changed limits', () => {
  const change: Command = {
    type: 'ChangeLimits',
    changes: { accounts: [{ id: ACCOUNT, ceiling: 1, source: 'declared' }] },
    reason: 'asked for',
    now: LATER,
  };

  test('hold from the next start on', () => {
    given(...after(planned([[1], [2]]), change))
      .when(advance())
      .thenTypes('AttemptStarted');
  });

  test('lift a block', () => {
    const walk = given(...blocked('limits')).when(change);
    walk.thenTypes('LimitsChanged');
    expect(walk.state.lifecycle.path).toBe('dispatching');
  });
});

describe('what an audit cannot take where it is', () => {
  test('is refused, and nothing is written', () => {
    const waive = {
      type: 'WaiveObligation',
      obligation: 'narrative',
      reason: 'no model',
      atRunTime: true,
      now: LATER,
    } as const;
    given(...planned([[1]]))
      .when(waive)
      .rejects('not-possible-now');
    given(...blocked('answer'))
      .when(blocks('operator'))
      .rejects('not-possible-now');
  });

  test('what nobody can do here may be waived while it is derived', () => {
    const walk = given(...reviewed()).when({
      type: 'WaiveObligation',
      obligation: 'synthesis',
      reason: 'Nobody can.',
      atRunTime: true,
      now: LATER,
    });
    walk.then(
      { type: 'ObligationWaived', obligation: 'synthesis' },
      { type: 'ObligationWaived', obligation: 'narrative' },
      { type: 'AuditCompleted', how: 'partial', reasons: ['Nobody can.'] },
    );
  });
});
