import type { CommitDraft } from '../../src/domain/commit.ts';
import type { AuditEvent } from '../../src/domain/events.ts';
import type { BlobRef, Digest } from '../../src/domain/ids.ts';
import type { EventStore } from '../../src/store/event-store.ts';

/** 2026-11-30T10:14:00.123Z */
const START = 1_796_033_640_123;

/** Drafts that are cheap and legal for a log, whatever they would mean for an audit. */
export const sampleDraft = (number: number, events = 1): CommitDraft => ({
  at: START + number,
  cause: { command: 'AnswerQuestion' },
  events: Array.from({ length: events }, (_, index) => sampleEvent(number, index)),
  from: 'dispatching',
  to: 'dispatching',
});

const sampleEvent = (number: number, index: number): AuditEvent => ({
  type: 'OperatorAnswered',
  question: `q${number}.${index}`,
  value: number % 3 === 0 ? 'naïve ✓ {"v": 1}\n' : 'yes',
  at: START + number,
});

export const writerClosedDraft = (epoch: number): CommitDraft => ({
  ...sampleDraft(0),
  cause: { command: 'CloseWriter' },
  events: [{ type: 'WriterClosed', epoch, at: START }],
});

export const answersImportedDraft = (answer: BlobRef): CommitDraft => ({
  ...sampleDraft(0),
  cause: { command: 'ReportInput' },
  events: [
    {
      type: 'AnswersImported',
      packet: 'p-0123456789abcdef' as never,
      answer,
      source: 'file',
      answersWaiting: true,
      at: START,
    },
  ],
});

export const sampleDigest = 'ab'.repeat(32) as Digest;

/** Hands in one more commit, as a caller that knows where the log stands. */
export const appendNext = (
  store: EventStore,
  epoch: number,
  draft: CommitDraft = sampleDraft(store.head().seq + 1),
): ReturnType<EventStore['append']> => store.append(draft, { seq: store.head().seq, epoch });

export const collect = async <T>(items: AsyncIterable<T>): Promise<readonly T[]> => {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
};
