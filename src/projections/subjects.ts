import type { Commit } from '../domain/commit.ts';
import type { AccountId, EventNumber, PacketId, TaskId } from '../domain/ids.ts';
import type { Subject, SubjectOf } from '../domain/subject.ts';
import { OBLIGATIONS } from '../domain/vocabulary.ts';

/** Everything in a log that can be named, by folding it once. */
export type Nameable = {
  readonly audit: string;
  readonly lastSeq: EventNumber;
  readonly starts: ReadonlySet<EventNumber>;
  readonly tasks: ReadonlySet<TaskId>;
  readonly packets: ReadonlySet<PacketId>;
  readonly accounts: ReadonlySet<AccountId>;
};

export const nameableIn = (commits: readonly Commit[]): Nameable => {
  const starts = new Set<EventNumber>();
  const tasks = new Set<TaskId>();
  const packets = new Set<PacketId>();
  const accounts = new Set<AccountId>();
  let audit = '';
  let lastSeq = 0;
  for (const commit of commits) {
    for (const [index, event] of commit.events.entries()) {
      lastSeq = commit.seq + index;
      if (event.type === 'AuditOpened') {
        audit = event.audit;
        for (const { id } of event.settings.accounts) accounts.add(id);
      }
      if (event.type === 'TasksPlanned') for (const { id } of event.tasks) tasks.add(id);
      if (event.type === 'PacketsPlanned') for (const { id } of event.packets) packets.add(id);
      if (event.type === 'AttemptStarted') starts.add(lastSeq);
      if (event.type === 'LimitsChanged') {
        for (const { id } of event.changes.accounts ?? []) accounts.add(id);
      }
    }
  }
  return { audit, lastSeq, starts, tasks, packets, accounts };
};

/**
 * What a word may mean: an id, or the beginning of one. A whole id is meant before any that it only
 * begins. Numbers are events, and attempts where the event is the start of one; `#17` is the attempt.
 *
 * @param findings those that are known, when somebody asks for one.
 */
export const subjectsNamed = (
  nameable: Nameable,
  findings: readonly SubjectOf<'finding'>[],
  word: string,
): readonly Subject[] => {
  if (word === 'audit' || (word !== '' && word === nameable.audit)) return [{ kind: 'audit' }];
  const number = /^#?([1-9]\d{0,14})$/.exec(word)?.[1];
  if (number !== undefined) return numbered(nameable, Number(number), word.startsWith('#'));
  const lower = word.toLowerCase();
  const all: readonly Exclude<Subject, { kind: 'audit' | 'attempt' | 'event' }>[] = [
    ...[...nameable.tasks].map((id) => ({ kind: 'task', id }) as const),
    ...[...nameable.packets].map((id) => ({ kind: 'packet', id }) as const),
    ...findings,
    ...[...nameable.accounts].map((id) => ({ kind: 'account', id }) as const),
    ...OBLIGATIONS.map((id) => ({ kind: 'obligation', id }) as const),
  ];
  const whole = all.filter((one) => namesOf(one).some((name) => name === word));
  if (whole.length > 0) return whole;
  return all.filter(
    (one) => word !== '' && namesOf(one).some((name) => name.toLowerCase().startsWith(lower)),
  );
};

/** A finding goes by each of its fingerprints. */
const namesOf = (
  one: Exclude<Subject, { kind: 'audit' | 'attempt' | 'event' }>,
): readonly string[] => (one.kind === 'finding' ? [one.id, ...one.aliases] : [one.id]);

const numbered = (
  { starts, lastSeq }: Nameable,
  number: EventNumber,
  isAttempt: boolean,
): readonly Subject[] => {
  if (starts.has(number)) return [{ kind: 'attempt', id: number }];
  return isAttempt || number > lastSeq ? [] : [{ kind: 'event', id: number }];
};
