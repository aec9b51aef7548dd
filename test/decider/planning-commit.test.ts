import { describe, expect, test } from 'vitest';
import { standingOf } from '../../src/decider/standing.ts';
import { statusOf } from '../../src/decider/status.ts';
import type { AuditEvent, InheritedResult } from '../../src/domain/events.ts';
import { derives, LATER } from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import {
  auditOpened,
  blob,
  derived,
  packet,
  START,
  task,
  taskIdOf,
  waived,
  writerOpened,
} from '../helpers/samples.ts';

const beforePlanning = [
  auditOpened(),
  writerOpened(),
  derived('inventory'),
  derived('disposition'),
  waived('formatting'),
  derived('structure'),
  derived('enrichment'),
  derived('designAssessment'),
];
const { state: asked } = given(...beforePlanning);
const plans = (tasks: number) => {
  const numbers = Array.from({ length: tasks }, (_, index) => index + 1);
  return derives(asked, {
    tasks: numbers.map((number) => task(number)),
    packets: numbers.map((number) => packet(number, [number])),
  });
};

test("a plan's artifact, tasks and packets stand in one commit, in the order that the guard needs (R8)", () => {
  const state = given(...beforePlanning)
    .when(plans(2))
    .then(
      { type: 'TasksPlanned', tasks: [task(1), task(2)] },
      { type: 'PacketsPlanned', packets: [packet(1, [1]), packet(2, [2])] },
      { type: 'ArtifactDerived', obligation: 'planning', openWork: true },
    );
  expect(state.lifecycle.path).toBe('dispatching');
});

test('planned work is written in pieces of at most 500 (M3)', () => {
  const { events } = given(...beforePlanning).when(plans(1001));
  const sizes = events.flatMap((event) => {
    if (event.type === 'TasksPlanned') return [event.tasks.length];
    return event.type === 'PacketsPlanned' ? [-event.packets.length] : [];
  });
  expect(sizes).toEqual([500, 500, 1, -500, -500, -1]);
  expect(events.at(-1)?.type).toBe('ArtifactDerived');
});

test('a plan without work leads on, in the same commit, to the synthesis', () => {
  const state = given(...beforePlanning)
    .when(plans(0))
    .then(
      { type: 'ArtifactDerived', obligation: 'planning', openWork: false },
      { type: 'ObligationWaived', obligation: 'runtimeValidation', atRunTime: false },
    );
  expect(state.lifecycle.path).toBe('deriving.synthesis');
});

test('tasks over files that have changed already are stale from the start, and open no work', () => {
  const paths = [{ path: 'src/f1.ts', expected: blob('a').digest, found: blob('b').digest }];
  const drifted: readonly AuditEvent[] = [
    ...beforePlanning,
    { type: 'InputDrifted', paths, at: START },
  ];
  const state = given(...drifted)
    .when({ ...plans(1), basis: given(...drifted).state.basis } as never)
    .then(
      { type: 'TasksPlanned' },
      { type: 'PacketsPlanned' },
      { type: 'ArtifactDerived', openWork: false },
      { type: 'ObligationWaived' },
    );
  expect(state.tasks.get(taskIdOf(1))?.status).toBe('stale');
});

test('work that is known already is not planned twice', () => {
  const replanned: readonly AuditEvent[] = [
    ...beforePlanning,
    { type: 'TasksPlanned', tasks: [task(1)] },
    { type: 'PacketsPlanned', packets: [packet(1, [1])] },
  ];
  given(...replanned)
    .when(plans(2))
    .then(
      { type: 'TasksPlanned', tasks: [task(2)] },
      { type: 'PacketsPlanned', packets: [packet(2, [2])] },
      { type: 'ArtifactDerived', openWork: true },
    );
});

describe('a report of a stage', () => {
  test('that is not asked for now is refused', () => {
    given(...beforePlanning)
      .when(derives(asked, { obligation: 'structure' }))
      .rejects('not-current');
  });

  test('on inputs that have changed since is refused', () => {
    given(...beforePlanning)
      .when(derives(asked, { basis: asked.basis - 1 }))
      .rejects('not-current');
  });

  test('says what could not be done, which makes the audit partial', () => {
    given(...beforePlanning)
      .when(derives(asked, { incomplete: ['One file could not be parsed.'] }))
      .then(
        { type: 'ArtifactDerived', incomplete: ['One file could not be parsed.'] },
        { type: 'ObligationWaived' },
      );
  });

  test('that failed blocks with what to do, and a late failure is refused', () => {
    const failed = {
      type: 'ReportStageFailed',
      obligation: 'planning',
      message: 'The disk is full.',
      remedy: 'Make room.',
      now: LATER,
    } as const;
    given(...beforePlanning)
      .when({ ...failed, basis: asked.basis })
      .then({
        type: 'AuditBlocked',
        cause: 'stage-failed',
        message: 'The disk is full.',
        remedy: 'Make room.',
        waitsFor: 'operator',
      });
    given(...beforePlanning)
      .when({ ...failed, basis: asked.basis + 1 })
      .rejects('not-current');
  });
});

test('formatting is waived by itself, in the commit that would reach it', () => {
  const first = given(auditOpened(), writerOpened(), derived('inventory'));
  first
    .when(derives(first.state))
    .then(
      { type: 'ArtifactDerived', obligation: 'disposition' },
      { type: 'ObligationWaived', obligation: 'formatting', atRunTime: false },
    );
});

describe('a task whose result an earlier audit has', () => {
  const inherited: InheritedResult = {
    audit: '20261129T101400123Z-1f3c9a' as InheritedResult['audit'],
    event: 17,
    digest: blob('result').digest,
    result: blob('result'),
    verdict: 'findings',
    findings: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
    provider: 'scripted',
  };
  const known = task(1, { inherited });
  const origin = { audit: inherited.audit, event: 17, digest: inherited.digest };

  test('is settled in the commit that plans it, and no packet is needed', () => {
    const state = given(...beforePlanning)
      .when(derives(asked, { tasks: [known], packets: [] }))
      .then(
        { type: 'TasksPlanned', tasks: [known] },
        { type: 'ArtifactDerived', obligation: 'planning', openWork: false },
        { type: 'ObligationWaived', obligation: 'runtimeValidation' },
      );
    expect(state.tasks.get(taskIdOf(1))).toMatchObject({
      status: 'accepted',
      result: { reviewer: 'agent', blob: inherited.result, inherited: origin },
    });
    expect(statusOf(state)).toMatchObject({
      tasks: { accepted: 1, open: 0 },
      inherited: [{ audit: inherited.audit, tasks: 1 }],
      budget: { attempts: { spent: 0, reserved: 0 } },
    });
    expect(standingOf(state, { kind: 'task', id: taskIdOf(1) })?.now.join(' ')).toContain(
      `audit ${inherited.audit} reviewed the same content`,
    );
  });

  test('leaves the others open', () => {
    const command = derives(asked, { tasks: [known, task(2)], packets: [packet(2, [2])] });
    const state = given(...beforePlanning)
      .when(command)
      .then(
        { type: 'TasksPlanned' },
        { type: 'PacketsPlanned', packets: [packet(2, [2])] },
        { type: 'ArtifactDerived', openWork: true },
      );
    expect(state.counts.tasks).toMatchObject({ accepted: 1, open: 1 });
  });

  test('is stale like any other when its file changes, before the plan or after it', () => {
    const drifted: AuditEvent = {
      type: 'InputDrifted',
      paths: [{ path: 'src/f1.ts', expected: blob('before').digest }],
      at: START,
    };
    const late = given(...beforePlanning, { type: 'TasksPlanned', tasks: [known] }, drifted);
    expect(late.state.tasks.get(taskIdOf(1))?.status).toBe('stale');
    const early = given(...beforePlanning, drifted, { type: 'TasksPlanned', tasks: [known] });
    expect(early.state.tasks.get(taskIdOf(1))?.status).toBe('stale');
    expect(statusOf(early.state)).not.toHaveProperty('inherited');
  });
});
