import { expect, test } from 'vitest';
import { getShortestPaths } from 'xstate/graph';
import { auditMachine, type AuditChartEvent } from '../../machines/audit.machine.ts';
import { STAGES } from '../../src/domain/vocabulary.ts';
import type { AuditEvent } from '../../src/domain/events.ts';
import type { Command } from '../../src/domain/commands.ts';
import { execute } from '../../src/decider/execute.ts';
import { evolve } from '../../src/decider/evolve.ts';
import { chartEventOf } from '../../src/decider/lifecycle.ts';
import { initialState, type AuditState } from '../../src/decider/state.ts';
import * as sample from '../helpers/samples.ts';

/**
 * The chart's own shortest paths, walked by commands: each step of a path is brought about by what
 * the shell would send, and the chart events of the path stand, in order, in the log that results.
 */
const EVENTS: AuditChartEvent[] = [
  // Without consent these two are waived, which follows by itself.
  ...STAGES.filter((stage) => stage !== 'formatting' && stage !== 'runtimeValidation').map(
    (stage) => ({
      type: 'ArtifactDerived' as const,
      [stage]: true,
      ...(stage === 'planning' && { openWork: true }),
    }),
  ),
  { type: 'ArtifactDerived', planning: true, openWork: false },
  { type: 'ObligationWaived', formatting: true },
  { type: 'ObligationWaived', runtimeValidation: true },
  { type: 'ObligationWaived', narrative: true },
  { type: 'AttemptStarted' },
  { type: 'AttemptEnded', answersWaiting: true },
  { type: 'ResultAccepted' },
  {
    type: 'IngestionFinished',
    answersWaiting: false,
    openWork: true,
    canStart: true,
    cooling: false,
    blocked: false,
  },
  {
    type: 'IngestionFinished',
    answersWaiting: false,
    openWork: true,
    canStart: false,
    cooling: true,
    blocked: false,
  },
  {
    type: 'IngestionFinished',
    answersWaiting: false,
    openWork: false,
    canStart: false,
    cooling: false,
    blocked: false,
  },
  { type: 'CooldownStarted' },
  { type: 'CooldownElapsed' },
  { type: 'AuditBlocked' },
  { type: 'AuditResumed' },
  { type: 'AuditCompleted' },
];

/** A command without its time. */
type Body = { readonly type: Command['type']; readonly [field: string]: unknown };

const dotted = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value as object)
        .map(([parent, child]) => `${parent}.${dotted(child)}`)
        .join();

/** A stage reports for itself only, and nothing ends that was not started before. */
const couldCome = (place: string, event: AuditChartEvent): boolean => {
  const stage = STAGES.find((name) => event[name] === true);
  switch (event.type) {
    case 'ArtifactDerived':
    case 'ObligationWaived':
      return place === `deriving.${stage ?? 'finishing'}`;
    case 'AttemptEnded':
      return place === 'dispatching';
    default:
      return true;
  }
};

const paths = getShortestPaths(auditMachine, {
  events: EVENTS,
  filterEvents: (snapshot, event) =>
    snapshot.can(event) && couldCome(dotted(snapshot.value), event),
  serializeState: (snapshot) => dotted(snapshot.value),
}).filter(({ steps }) => steps.length > 1);

test('the shortest paths reach every state in which an audit can rest', () => {
  expect(paths.map(({ state }) => dotted(state.value))).toEqual(
    expect.arrayContaining(['dispatching', 'ingesting', 'cooldown', 'blocked', 'complete']),
  );
  expect(paths.length).toBeGreaterThanOrEqual(14);
});

test.each(paths.map((path) => [dotted(path.state.value), path] as const))(
  'the shortest path to %s can be walked through decide',
  (target, { steps }) => {
    const walked = walk(steps.map(({ event }) => event));
    expect(walked.places).toContain(target);
    const types = steps.map(({ event }) => event.type).filter((type) => !type.startsWith('xstate'));
    expect(subsequenceLeft(types, walked.chartTypes)).toEqual([]);
  },
);

/** What of `wanted` does not occur, in order, in `found`. */
const subsequenceLeft = (wanted: readonly string[], found: readonly string[]): string[] => {
  const left = [...wanted];
  for (const type of found) if (left[0] === type) left.shift();
  return left;
};

const walk = (events: readonly AuditChartEvent[]) => {
  const hasWork = !events.some((event) => event.planning === true && event.openWork === false);
  const state = initialState();
  const shadow = initialState();
  const places: string[] = [];
  const chartTypes: string[] = [];
  let now = sample.START;
  const give = (body: Body): void => {
    now += 1000;
    const execution = execute(state, { ...body, now } as unknown as Command);
    if (execution.kind !== 'decided') return;
    for (const event of execution.events) {
      evolve(shadow, event);
      places.push(shadow.lifecycle.path);
      const chartEvent = chartEventOf(event);
      if (chartEvent !== undefined) chartTypes.push(chartEvent.type);
    }
  };
  const {
    type: _,
    at: __,
    ...opened
  } = sample.auditOpened() as Extract<AuditEvent, { type: 'AuditOpened' }>;
  give({ type: 'OpenAudit', ...opened });
  give({ type: 'OpenWriter', epoch: 1, tool: '0.1.0' });
  for (const event of events) bringAbout(event, state, give, hasWork, () => (now += 1_000_000));
  return { places, chartTypes };
};

/** The commands by which the shell brings about a chart event. */
const bringAbout = (
  event: AuditChartEvent,
  state: AuditState,
  give: (body: Body) => void,
  hasWork: boolean,
  letTimePass: () => void,
): void => {
  const started = (): number => {
    give({ type: 'Advance', running: new Set(state.leases) });
    return [...state.leases][0] as number;
  };
  switch (event.type) {
    case 'ArtifactDerived': {
      const obligation = STAGES.find((stage) => event[stage] === true);
      const isWork = obligation === 'planning' && hasWork;
      return give({
        type: 'ReportDerived',
        obligation,
        basis: state.basis,
        artifact: sample.blob(String(obligation)),
        ...(isWork && { tasks: [sample.task(1)], packets: [sample.packet(1, [1])] }),
      });
    }
    case 'AttemptStarted':
      started();
      return;
    case 'AttemptEnded':
      return give({
        type: 'ReportAttempt',
        token: started(),
        report: { end: { kind: 'exited' }, answer: sample.blob('answer') },
      });
    case 'ResultAccepted':
    case 'IngestionFinished':
      return give({
        type: 'ReportJudged',
        of: [...state.queue.keys()][0],
        verdicts: [
          {
            kind: 'accepted',
            task: sample.taskIdOf(1),
            result: sample.blob('result'),
            verdict: 'clean',
            findings: sample.NO_FINDINGS,
          },
        ],
      });
    case 'CooldownStarted':
      return give({
        type: 'ReportAttempt',
        token: started(),
        report: { end: { kind: 'limited', limit: 'rate' } },
      });
    case 'CooldownElapsed':
      letTimePass();
      return give({ type: 'Advance', running: new Set() });
    case 'AuditBlocked':
      return give({
        type: 'BlockAudit',
        cause: 'answer-needed',
        message: 'm',
        remedy: 'r',
        waitsFor: 'operator',
      });
    case 'AuditResumed':
      return give({ type: 'Resume', by: 'run' });
    default:
      // Waivers and the completion follow by themselves.
      return;
  }
};
