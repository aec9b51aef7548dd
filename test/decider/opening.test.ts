import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/domain/commands.ts';
import { plan } from '../../src/decider/plan.ts';
import { advance, opensInput, receives, LATER, reports } from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import {
  attemptStarted,
  auditOpened,
  packetIdOf,
  planned,
  START,
  writerOpened,
} from '../helpers/samples.ts';
import { after, completed } from '../helpers/whole-audit.ts';

const opened = auditOpened();
const openAudit = (() => {
  if (opened.type !== 'AuditOpened') throw new Error('The sample opens an audit.');
  const { type: _, at: __, ...fields } = opened;
  return { type: 'OpenAudit', ...fields, now: START } as const satisfies Command;
})();
const openWriter = (epoch: number): Command => ({
  type: 'OpenWriter',
  epoch,
  tool: '0.1.0',
  now: LATER,
});

test('an audit is opened by its first event and by no later one', () => {
  given().when(openAudit).then(opened);
  given(opened).when(openAudit).rejects('audit-exists');
});

test('without an audit nothing else makes sense', () => {
  given().when(openWriter(1)).rejects('no-audit');
  given().when(advance()).rejects('no-audit');
});

test('only a process that has opened its epoch is heard', () => {
  given(opened).when(advance()).rejects('no-writer');
  given(opened, writerOpened(), { type: 'WriterClosed', epoch: 1, at: START })
    .when(advance())
    .rejects('no-writer');
});

test('epochs only grow', () => {
  given(opened, writerOpened(3)).when(openWriter(3)).rejects('old-epoch');
  given(opened, writerOpened(3)).when(openWriter(2)).rejects('old-epoch');
  given(opened, writerOpened(3)).when(openWriter(7)).then({ type: 'WriterOpened', epoch: 7 });
});

test('a clean close says which epoch it releases', () => {
  given(opened, writerOpened(3))
    .when({ type: 'CloseWriter', now: LATER })
    .then({ type: 'WriterClosed', epoch: 3 });
});

test('leases outlive their process: to the next one they are leased, not running', () => {
  const state = given(...planned([[1]]), attemptStarted(1))
    .when(openWriter(2))
    .thenTypes('WriterOpened');
  expect(state.packets.get(packetIdOf(1))?.status).toBe('leased');
  expect(plan(state)).toMatchObject([{ type: 'RunAttempt', packet: packetIdOf(1) }]);
});

describe('a complete audit', () => {
  const refused: readonly Command[] = [
    advance(),
    { type: 'ReportDerived', obligation: 'synthesis', basis: 1, artifact: {} as never, now: LATER },
    { type: 'ReportDrift', paths: [], now: LATER },
    { type: 'ChangeLimits', changes: {}, reason: 'r', now: LATER },
    { type: 'Resume', by: 'run', now: LATER },
    { type: 'AnswerQuestion', question: 'q', value: 'v', now: LATER },
    { type: 'RequestStop', reason: 'operator', now: LATER },
  ];
  test.each(refused.map((command) => [command.type, command] as const))(
    'takes no %s any more',
    (_, command) => {
      given(...completed())
        .when(command)
        .rejects('audit-complete');
    },
  );

  test('records what comes late, and stays what it is', () => {
    const received = after(completed(), receives('late'));
    const state = given(...received)
      .when(opensInput(received.length, [1]))
      .thenTypes('AnswersImported', 'ExternalInputConsumed');
    expect(state.queue.size).toBe(0);
    expect(state.lifecycle.path).toBe('complete');
  });

  test('records the late answer of an attempt as late', () => {
    const [token] = given(...completed()).state.attempts.keys();
    given(...completed())
      .when(reports(token!, { kind: 'exited' }, { digest: 'ab'.repeat(32) as never, bytes: 2 }))
      .then({ type: 'AnswersImported', source: 'late', answersWaiting: false });
  });

  test('lets a writer open and close', () => {
    given(...completed())
      .when(openWriter(9))
      .thenTypes('WriterOpened');
    given(...completed())
      .when({ type: 'CloseWriter', now: LATER })
      .thenTypes('WriterClosed');
  });
});
