import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '../../src/domain/events.ts';
import { createFindingCounts, foldFindingCounts } from '../../src/projections/finding-counts.ts';
import { createSpend, foldSpend } from '../../src/projections/spend.ts';
import { countTasks, createTaskView, foldTasks } from '../../src/projections/tasks.ts';
import { timelineOf } from '../../src/projections/timeline.ts';
import { ACCOUNT, blob, packetIdOf, START, task, taskIdOf } from '../helpers/samples.ts';
import { findingIdOf } from '../helpers/finding-samples.ts';

const at = START;
const counts = { critical: 0, high: 1, medium: 2, low: 0, info: 0 };
const planned = (...numbers: readonly number[]): AuditEvent => ({
  type: 'TasksPlanned',
  tasks: numbers.map((number) => task(number)),
});
const planDone: AuditEvent = {
  type: 'ArtifactDerived',
  obligation: 'planning',
  artifact: blob('plan'),
  at,
};
const accepted = (number: number): AuditEvent => ({
  type: 'ResultAccepted',
  of: 9,
  task: taskIdOf(number),
  result: blob(`result ${number}`),
  verdict: 'findings',
  findings: counts,
  provider: 'scripted',
  reviewer: 'agent',
  at,
});
const tasksAfter = (...events: readonly AuditEvent[]) => {
  const view = createTaskView();
  for (const event of events) foldTasks(view, event);
  return view;
};

describe('the view of tasks', () => {
  test('tells settled, given up, stale and open tasks apart', () => {
    const view = tasksAfter(
      planned(1, 2, 3, 4),
      planDone,
      accepted(1),
      { type: 'TaskAbandoned', task: taskIdOf(2), code: 'attempts-spent', reason: 'failed', at },
      accepted(3),
      { type: 'InputDrifted', paths: [{ path: 'src/f3.ts', expected: blob('x').digest }], at },
    );
    expect(countTasks(view)).toEqual({ open: 1, accepted: 1, abandoned: 1, stale: 1 });
    expect(view.tasks.get(taskIdOf(1))?.state).toMatchObject({ result: blob('result 1') });
  });

  test('after a new plan keeps the results of tasks that are still asked and drops the others', () => {
    const view = tasksAfter(
      planned(1, 2),
      planDone,
      accepted(1),
      accepted(2),
      { type: 'ArtifactsStale', obligations: ['planning'], reason: 'new', openWork: true, at },
      planned(2, 3),
      planDone,
    );
    expect([...view.tasks.keys()]).toEqual([taskIdOf(2), taskIdOf(3)]);
    expect(countTasks(view)).toEqual({ open: 1, accepted: 1, abandoned: 0, stale: 0 });
  });
});

test('findings so far are the sums of the accepted results, and verdicts the latest ones', () => {
  const view = createFindingCounts();
  const verified = (verdict: 'confirmed' | 'refuted'): AuditEvent => ({
    type: 'FindingVerified',
    finding: findingIdOf(1),
    verdict,
    by: 3,
    at,
  });
  for (const event of [accepted(1), accepted(2), verified('confirmed'), verified('refuted')]) {
    foldFindingCounts(view, event);
  }
  expect(view.total).toBe(6);
  expect(view.bySeverity).toEqual({ critical: 0, high: 2, medium: 4, low: 0, info: 0 });
  expect(view.verdicts.get(findingIdOf(1))).toEqual({ verdict: 'refuted' });
});

test('what was not reported is counted as unknown, not as zero', () => {
  const ended = (fields: object): AuditEvent => ({
    type: 'AttemptEnded',
    token: 5,
    end: { kind: 'exited' },
    counted: false,
    answersWaiting: false,
    at,
    ...fields,
  });
  const spend = createSpend();
  for (const event of [
    ended({ usage: { inputTokens: 100, outputTokens: 10, costUsd: 0.5 } }),
    ended({ end: { kind: 'limited', limit: 'rate' } }),
    ended({ counted: true, end: { kind: 'lost' } }),
  ]) {
    foldSpend(spend, event);
  }
  expect(spend).toEqual({
    attempts: { started: 0, ended: 3, counted: 1, limited: 1, cancelled: 0 },
    tokens: { input: 100, output: 10, unknown: 2 },
    costUsd: { sum: 0.5, unknown: 2 },
  });
});

describe('the timeline', () => {
  test('numbers the events of a commit and says what happened in words', () => {
    const lines = timelineOf({
      seq: 40,
      at,
      events: [
        {
          type: 'AttemptStarted',
          packet: packetIdOf(1),
          provider: 'scripted',
          account: ACCOUNT,
          attempt: 2,
          leaseUntil: at + 1,
          at,
        },
        accepted(1),
        {
          type: 'CooldownStarted',
          account: ACCOUNT,
          until: at + 60_000,
          limit: 'rate',
          assumed: false,
          allAccounts: true,
          at,
        },
      ],
    });
    expect(lines.map(({ seq, text }) => `${seq} ${text}`)).toEqual([
      '40 attempt 2 of packet p-0000000000000001 started with scripted on account agent',
      '41 task t-0000000000000001 settled: 1 high, 2 medium',
      '42 account agent cools down for 60 s (rate)',
    ]);
  });

  test('shows hostile text as one inert line', () => {
    const [line] = timelineOf({
      seq: 1,
      at,
      events: [
        {
          type: 'AuditBlocked',
          cause: 'stage-failed',
          message: 'bad\u001b[2J\nfile',
          remedy: 'Fix it.',
          waitsFor: 'operator',
          at,
        },
      ],
    });
    expect(line?.text).toBe('blocked (stage-failed): bad\\u{1b}[2J\\u{a}file Fix it.');
  });
});
