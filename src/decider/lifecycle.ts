import { initialTransition, transition, type SnapshotFrom } from 'xstate';
import {
  auditMachine,
  type AuditChartEvent,
  type AuditFlags,
} from '../../machines/audit.machine.ts';
import type { AuditEvent } from '../domain/events.ts';
import { assert } from '../std/assert.ts';
import { canonicalJson } from '../std/canonical-json.ts';

/**
 * The only file besides the charts that knows XState. It turns an event of the log into an event of
 * the audit chart, or none (M2), and remembers what the chart answered (M6): the chart is pure and
 * small, so a replay asks it a few hundred different questions however long the log is.
 */

/** Where an audit is in its life. Interned: the same place is the same object. */
export type Lifecycle = {
  /** Dotted, as in the log's `from` and `to`: `deriving.planning`. */
  readonly path: string;
  readonly flags: AuditFlags;
};

type Snapshot = SnapshotFrom<typeof auditMachine>;
type Place = Lifecycle & {
  readonly snapshot: Snapshot;
  readonly answers: Map<string, Place | null>;
};

const places = new Map<string, Place>();

const intern = (snapshot: Snapshot): Place => {
  const key = canonicalJson([snapshot.value, snapshot.context]);
  const known = places.get(key);
  if (known !== undefined) return known;
  const place = {
    path: dotted(snapshot.value),
    flags: snapshot.context,
    snapshot,
    answers: new Map(),
  };
  places.set(key, place);
  return place;
};

const dotted = (value: Snapshot['value']): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([parent, child]) => `${parent}.${dotted(child as Snapshot['value'])}`)
        .join('|');

export const initialLifecycle = (): Lifecycle => intern(initialTransition(auditMachine)[0]);

/**
 * The place after an event.
 *
 * @throws {InvariantViolation} M2: the chart cannot take the event here.
 */
export const advance = (lifecycle: Lifecycle, event: AuditEvent): Lifecycle => {
  const chartEvent = chartEventOf(event);
  if (chartEvent === undefined || lifecycle.path === 'complete') return lifecycle;
  const next = answerOf(lifecycle as Place, chartEvent);
  assert(next !== null, `M2: an audit in ${lifecycle.path} cannot take ${event.type}`);
  return next;
};

/** Whether the chart can take the event here; events without a chart event can always be taken. */
export const canTake = (lifecycle: Lifecycle, event: AuditEvent): boolean => {
  const chartEvent = chartEventOf(event);
  if (chartEvent === undefined) return true;
  return lifecycle.path !== 'complete' && answerOf(lifecycle as Place, chartEvent) !== null;
};

const answerOf = (place: Place, event: AuditChartEvent): Place | null => {
  const key = keyOf(event);
  const known = place.answers.get(key);
  if (known !== undefined) return known;
  const answer = ask(place.snapshot, event);
  place.answers.set(key, answer);
  return answer;
};

/** XState ignores what it does not know without a word, so `can` is asked first. */
const ask = (snapshot: Snapshot, event: AuditChartEvent): Place | null =>
  snapshot.can(event) ? intern(transition(auditMachine, snapshot, event)[0]) : null;

/** `advance` without the memory, for the property that compares the two. */
export const advanceUnmemoised = (lifecycle: Lifecycle, event: AuditEvent): Lifecycle | null => {
  const chartEvent = chartEventOf(event);
  if (chartEvent === undefined || lifecycle.path === 'complete') return lifecycle;
  return ask((lifecycle as Place).snapshot, chartEvent);
};

/** The key's text without sorting: `chartEventOf` gives the fields of one type in one order. */
const keyOf = (event: AuditChartEvent): string => {
  let key: string = event.type;
  // Most events have nothing but their type; listing their entries would cost more than the answer.
  for (const name in event) {
    if (name !== 'type') key += `,${name}:${String(event[name as keyof AuditChartEvent])}`;
  }
  return key;
};

/** M2: the one table from event type to chart event (type and the booleans that guards read). */
export const chartEventOf = (event: AuditEvent): AuditChartEvent | undefined => {
  switch (event.type) {
    case 'AuditOpened':
    case 'WriterOpened':
    case 'WriterClosed':
    case 'TasksPlanned':
    case 'PacketsPlanned':
    case 'InputDrifted':
    case 'AccountThrottled':
    case 'AccountExhausted':
    case 'FindingVerified':
    case 'DeepeningEnded':
    case 'ExternalInputReceived':
    case 'ExternalInputConsumed':
      return undefined;
    case 'CooldownStarted':
      return event.allAccounts ? { type: event.type } : undefined;
    case 'ArtifactDerived':
      return event.openWork === undefined
        ? { type: event.type, [event.obligation]: true }
        : { type: event.type, [event.obligation]: true, openWork: event.openWork };
    case 'ObligationWaived':
      return { type: event.type, [event.obligation]: true };
    case 'ArtifactsStale':
      return {
        type: event.type,
        ...Object.fromEntries(event.obligations.map((obligation) => [obligation, false])),
        openWork: event.openWork,
      };
    case 'AttemptEnded':
    case 'AnswersImported':
      return { type: event.type, answersWaiting: event.answersWaiting };
    case 'IngestionFinished':
      return {
        type: event.type,
        answersWaiting: false,
        openWork: event.openWork,
        canStart: event.canStart,
        cooling: event.cooling,
        blocked: event.blocked,
      };
    case 'LimitsChanged':
      return { type: event.type, canStart: event.canStart };
    case 'ResultAccepted':
      return event.settles === undefined
        ? { type: event.type }
        : { type: event.type, [event.settles]: true };
    case 'AttemptStarted':
    case 'ResultRejected':
    case 'TaskAbandoned':
    case 'CooldownElapsed':
    case 'AuditBlocked':
    case 'AuditResumed':
    case 'OperatorAnswered':
    case 'StopRequested':
    case 'AuditCompleted':
      return { type: event.type };
  }
};
