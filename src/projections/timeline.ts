import { printable } from '../std/printable.ts';
import { endInWords } from '../domain/attempt-end.ts';
import type { Commit } from '../domain/commit.ts';
import type { AuditEvent, EventType, PlannedTask, SeverityCounts } from '../domain/events.ts';
import type { EventNumber, Instant } from '../domain/ids.ts';
import { SEVERITIES, type RejectionCode } from '../domain/vocabulary.ts';

/** One event as a person reads it. `text` is one printable line, whatever the log holds. */
export type TimelineLine = {
  readonly seq: EventNumber;
  readonly at: Instant;
  readonly type: EventType;
  readonly text: string;
};

/** The lines of a commit, in the order of its events. */
export const timelineOf = (
  commit: Pick<Commit, 'seq' | 'at' | 'events'>,
): readonly TimelineLine[] =>
  commit.events.map((event, index) => ({
    seq: commit.seq + index,
    at: commit.at,
    type: event.type,
    text: printable(describeEvent(event), TEXT_LENGTH_MAX),
  }));

const TEXT_LENGTH_MAX = 400;

/** What happened, in words. Free text of others in it is not yet made printable. */
const describeEvent = (event: AuditEvent): string => {
  switch (event.type) {
    case 'AuditOpened':
      return `audit ${event.audit} of ${event.root.name} opened: ${count(event.files, 'file')}, provider ${event.settings.provider}`;
    case 'WriterOpened':
      return `a process took over as writer ${event.epoch} (casefile ${event.tool})${event.startsMax === undefined ? '' : `, at most ${count(event.startsMax, 'start')}`}`;
    case 'WriterClosed':
      return `writer ${event.epoch} closed the log`;
    case 'ArtifactDerived':
      return `${event.obligation} derived${event.incomplete === undefined || event.incomplete.length === 0 ? '' : `, incomplete: ${event.incomplete.join(' ')}`}`;
    case 'ObligationWaived':
      return `${event.obligation} waived: ${event.reason}`;
    case 'ArtifactsStale':
      return `${event.obligations.join(', ')} to be derived again: ${event.reason}`;
    case 'TasksPlanned':
      return `${count(event.tasks.length, 'task')} planned${inheritedPart(event.tasks)}`;
    case 'PacketsPlanned':
      return `${count(event.packets.length, 'packet')} planned, about ${event.packets.reduce((sum, packet) => sum + packet.tokens, 0)} tokens`;
    case 'InputDrifted':
      return `${count(event.paths.length, 'file')} changed since the inventory: ${some(event.paths.map(({ path }) => path))}`;
    case 'AttemptStarted':
      return `attempt ${event.attempt} of packet ${event.packet} started with ${event.provider} on account ${event.account}`;
    case 'AttemptEnded':
      return `attempt #${event.token} ${event.answer === undefined ? 'ended without an answer' : 'answered'}${event.end.kind === 'exited' ? '' : `: ${endInWords(event.end)}`}${event.counted ? ' (counted)' : ''}`;
    case 'AnswersImported':
      return event.source === 'late'
        ? `a late answer for packet ${event.packet} came in`
        : `an answer for packet ${event.packet} was handed in`;
    case 'ExternalInputReceived':
      return `${INPUT_KIND[event.kind]} handed in: ${event.name}, ${count(event.content.bytes, 'byte')}`;
    case 'ExternalInputConsumed':
      if (event.imported + event.refused.length === 0)
        return `the input of event ${event.of} was used`;
      return `the input of event ${event.of} was opened: ${count(event.imported, 'answer')}${event.refused.map(({ code, message }) => `; refused (${code}): ${message}`).join('')}`;
    case 'ResultAccepted':
      return `task ${event.task} settled: ${event.verdict === 'findings' ? found(event.findings) : event.verdict}${event.reviewer === 'analyzers' ? ' (analyzers only)' : ''}${asideWords(event)}`;
    case 'ResultRejected':
      return `${event.task === undefined ? `an answer for packet ${event.packet}` : `the result of task ${event.task}`} refused (${event.code}): ${event.message}${event.counted === true ? ' (counted)' : ''}`;
    case 'TaskAbandoned':
      return `task ${event.task} abandoned (${event.code}): ${event.reason}`;
    case 'FindingVerified':
      return `finding ${event.finding} ${event.verdict}${event.severity === undefined ? '' : ` to ${event.severity}`}`;
    case 'DeepeningEnded':
      return `deepening ended: ${DEEPENING_END[event.reason]}, after ${count(event.rounds, 'round')} with ${count(event.tasks, 'task')} of about ${event.tokens} tokens (at most ${event.tokensMax})`;
    case 'IngestionFinished':
      return `answers judged, ${event.openWork ? 'work is left' : 'no work is left'}`;
    case 'CooldownStarted':
      return `account ${event.account} cools down for ${Math.ceil((event.until - event.at) / 1000)} s (${event.limit}${event.assumed ? ', length assumed' : ''})`;
    case 'CooldownElapsed':
      return 'a cooldown is over';
    case 'LimitsChanged':
      return `limits changed (${Object.keys(event.changes).join(', ')}): ${event.reason}`;
    case 'AccountThrottled':
      return `account ${event.account} narrowed to ${event.ceiling} at once: ${event.reason}`;
    case 'AccountExhausted':
      return `account ${event.account} exhausted: ${event.reason}`;
    case 'AuditBlocked':
      return `blocked (${event.cause}): ${event.message} ${event.remedy}`;
    case 'AuditResumed':
      return `resumed by ${event.by === 'run' ? 'a run' : 'the operator'}`;
    case 'OperatorAnswered':
      return `question ${event.question} answered: ${event.value}`;
    case 'StopRequested':
      return `no further starts: ${STOP_REASON[event.reason]}`;
    case 'AuditCompleted':
      return `audit complete${event.how === 'full' ? '' : `, partial: ${event.reasons.join(' ')}`}`;
  }
};

const inheritedPart = (tasks: readonly PlannedTask[]): string => {
  const audits = tasks.flatMap(({ inherited }) => inherited?.audit ?? []);
  return audits.length === 0
    ? ''
    : `, ${audits.length} of them answered by earlier audits (${some([...new Set(audits)])})`;
};

const DEEPENING_END = {
  'nothing-left': 'nothing gives cause for more',
  'share-spent': 'its share of the budget is spent',
  'rounds-spent': 'its rounds are over',
} as const;

const STOP_REASON = {
  operator: 'the operator asked for a stop',
  'max-runs': 'this process has made its attempts',
  limit: 'this process has begun its packets',
  signal: 'a signal came',
} as const;

const INPUT_KIND = {
  answers: 'answers',
  'analyzer-results': 'analyzer results',
  'runtime-updates': 'runtime updates',
} as const;

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

const some = (items: readonly string[]): string =>
  items.length <= 3
    ? items.join(', ')
    : `${items.slice(0, 3).join(', ')} and ${items.length - 3} more`;

/** What was not taken as it came, if anything. */
const asideWords = ({
  repaired = [],
  quarantined = {},
}: {
  readonly repaired?: readonly string[] | undefined;
  readonly quarantined?: Readonly<Partial<Record<RejectionCode, number | undefined>>> | undefined;
}): string => {
  const aside = Object.entries(quarantined).map(([code, number]) => `${number} ${code}`);
  return [
    ...(aside.length === 0 ? [] : [`; findings set aside: ${aside.join(', ')}`]),
    ...(repaired.length === 0 ? [] : [`; put right: ${repaired.join(' ')}`]),
  ].join('');
};

const found = (findings: SeverityCounts): string =>
  SEVERITIES.filter((severity) => findings[severity] > 0)
    .map((severity) => `${findings[severity]} ${severity}`)
    .join(', ');
