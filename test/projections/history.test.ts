import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Commit } from '../../src/domain/commit.ts';
import type { AuditEvent } from '../../src/domain/events.ts';
import { packetId, taskId } from '../../src/domain/ids.ts';
import { createFigures, followFigures, percentile } from '../../src/projections/figures.ts';
import { historyOf } from '../../src/projections/history.ts';
import { nameableIn, subjectsNamed } from '../../src/projections/subjects.ts';

const task = (digit: string) => taskId.parse(`t-${digit.repeat(16)}`);
const packet = (digit: string) => packetId.parse(`p-${digit.repeat(16)}`);
const blob = { digest: 'a'.repeat(64), bytes: 3 };

/** A log of these events, a commit each; the number of an event is its place from 1. */
const logOf = (...events: readonly object[]): readonly Commit[] =>
  events.map((event, index) => ({
    seq: index + 1,
    at: 1000 * (index + 1),
    epoch: 1,
    durable: index,
    cause: { command: 'Test' },
    events: [{ at: 1000 * (index + 1), ...event } as AuditEvent],
    from: 'dispatching',
    to: 'dispatching',
    prev: '0'.repeat(16),
  }));

const planned = (id: ReturnType<typeof packet>, tasks: readonly unknown[], replaces?: unknown) => ({
  type: 'PacketsPlanned',
  packets: [{ id, tasks, tokens: 1, prompt: blob, ...(replaces !== undefined && { replaces }) }],
});
const plannedTask = (id: unknown, path: string) => ({
  type: 'TasksPlanned',
  tasks: [{ id, kind: 'review', unit: 'u', lens: 'security', paths: [path] }],
});
const started = (of: unknown) => ({
  type: 'AttemptStarted',
  packet: of,
  provider: 'command',
  account: 'main',
  attempt: 1,
  leaseUntil: 9,
});
const ended = (token: number, answer?: object) => ({
  type: 'AttemptEnded',
  token,
  end: { kind: 'exited' },
  ...(answer !== undefined && { answer }),
  counted: false,
  answersWaiting: true,
});
const accepted = (of: number, id: unknown) => ({
  type: 'ResultAccepted',
  of,
  task: id,
  result: blob,
  verdict: 'clean',
  findings: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
  provider: 'command',
  reviewer: 'agent',
});
const rejected = (of: number, from: unknown, id?: unknown) => ({
  type: 'ResultRejected',
  of,
  packet: from,
  ...(id !== undefined && { task: id }),
  code: 'no-verdict',
  message: 'none',
});

/** Tasks a and b in packet 1; a is settled, b goes on in packet 2. Task c is apart, in packet 3. */
const LOG = logOf(
  plannedTask(task('a'), 'a.ts'),
  plannedTask(task('b'), 'b.ts'),
  plannedTask(task('c'), 'c.ts'),
  planned(packet('1'), [task('a'), task('b')]),
  planned(packet('3'), [task('c')]),
  started(packet('1')),
  started(packet('3')),
  ended(6, blob),
  ended(7),
  accepted(8, task('a')),
  rejected(8, packet('1'), task('b')),
  planned(packet('2'), [task('b')], packet('1')),
  started(packet('2')),
  ended(13, blob),
  accepted(14, task('b')),
  { type: 'InputDrifted', paths: [{ path: 'c.ts', expected: 'x' }] },
);

const numbers = (subject: Parameters<typeof historyOf>[1]): readonly number[] =>
  historyOf(LOG, subject).map(({ seq }) => seq);

describe('the history of', () => {
  test('a task follows it through every packet, attempt and answer, and leaves its neighbours out', () => {
    expect(numbers({ kind: 'task', id: task('a') })).toEqual([1, 4, 6, 8, 10]);
    expect(numbers({ kind: 'task', id: task('b') })).toEqual([2, 4, 6, 8, 11, 12, 13, 14, 15]);
    expect(numbers({ kind: 'task', id: task('c') })).toEqual([3, 5, 7, 9, 16]);
  });

  test('a packet ends where its rest goes on elsewhere', () => {
    expect(numbers({ kind: 'packet', id: packet('1') })).toEqual([4, 6, 8, 10, 11, 12]);
    expect(numbers({ kind: 'packet', id: packet('2') })).toEqual([12, 13, 14, 15]);
  });

  test('an attempt is its start, its end and what became of its answer', () => {
    expect(numbers({ kind: 'attempt', id: 6 })).toEqual([6, 8, 10, 11]);
    expect(numbers({ kind: 'attempt', id: 7 })).toEqual([7, 9]);
  });

  test('a chunk of packets names the prompts of the thing itself alone', () => {
    const chunk = logOf({
      type: 'PacketsPlanned',
      packets: ['1', '2', '3'].map((digit) => ({
        id: packet(digit),
        tasks: [task(digit)],
        tokens: 1,
        prompt: { digest: digit.repeat(64), bytes: 1 },
      })),
    });
    const [entry] = historyOf(chunk, { kind: 'packet', id: packet('2') });
    expect(entry?.blobs).toEqual([{ role: 'prompt', blob: { digest: '2'.repeat(64), bytes: 1 } }]);
  });
});

test('every id that a log has is named by itself, and by each beginning that no other thing has', () => {
  const nameable = nameableIn(LOG);
  for (const id of [...nameable.tasks, ...nameable.packets]) {
    for (let length = 3; length <= id.length; length += 1) {
      expect(subjectsNamed(nameable, [], id.slice(0, length))).toMatchObject([{ id }]);
    }
  }
  expect(subjectsNamed(nameable, [], 't-')).toHaveLength(3);
  expect(subjectsNamed(nameable, [], '6')).toEqual([{ kind: 'attempt', id: 6 }]);
  expect(subjectsNamed(nameable, [], '8')).toEqual([{ kind: 'event', id: 8 }]);
  for (const word of ['#8', '17', '', '0', 'x']) {
    expect(subjectsNamed(nameable, [], word), word).toEqual([]);
  }
});

test('figures count each attempt, end and judged answer once, audit by audit', () => {
  const figures = createFigures();
  for (let audit = 0; audit < 2; audit += 1) {
    const follower = followFigures(figures);
    for (const { seq, events } of LOG) for (const event of events) follower.add(event, seq);
    follower.end();
  }
  expect([...figures.byProvider]).toMatchObject([
    [
      'command',
      {
        attempts: 6,
        ends: { answered: 4, exited: 2 },
        answers: { whole: 2, part: 2, refused: 0 },
        results: { accepted: 4, rejected: 2 },
        tokens: { unknown: 6 },
      },
    ],
  ]);
});

test('a percentile is one of the values, and that share of them is not above it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(), { minLength: 1 }),
      fc.double({ min: 0.01, max: 1, noNaN: true }),
      (values, share) => {
        const found = percentile(values, share);
        expect(values).toContain(found);
        const notAbove = values.filter((value) => value <= (found ?? 0)).length;
        const below = values.filter((value) => value < (found ?? 0)).length;
        expect(notAbove).toBeGreaterThanOrEqual(share * values.length - 1e-9);
        expect(below).toBeLessThan(share * values.length + 1e-9);
      },
    ),
  );
  expect(percentile([], 0.5)).toBeUndefined();
});
