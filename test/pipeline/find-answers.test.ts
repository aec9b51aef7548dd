import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findAnswers, type Planned } from '../../src/pipeline/find-answers.ts';
import { bytesOf } from '../helpers/review-samples.ts';

/** Packets p-0 to p-3 of two tasks each: t-0 and t-1 are in p-0, and so on. */
const PACKETS = ['p-0', 'p-1', 'p-2', 'p-3'];
const TASKS = PACKETS.flatMap((_, index) => [`t-${index * 2}`, `t-${index * 2 + 1}`]);
const planned: Planned = {
  packetOf: (task) => {
    const place = TASKS.indexOf(task);
    return place < 0 ? undefined : PACKETS[Math.floor(place / 2)];
  },
  hasPacket: (packet) => PACKETS.includes(packet),
};
const find = (value: unknown, assigned?: string) =>
  findAnswers(value instanceof Uint8Array ? value : bytesOf(value), planned, assigned);

const anyJson = fc.jsonValue({ maxDepth: 4 });
const strayTask = fc.string().filter((task) => !TASKS.includes(task));
const entry = fc.oneof(
  fc.constantFrom(...TASKS).map((task_id) => ({ task_id })),
  strayTask.map((task_id) => ({ task_id })),
  anyJson.filter(
    (value) => typeof value !== 'object' || value === null || !('task_id' in (value as object)),
  ),
);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  anyJson.map(bytesOf),
  fc.array(entry, { maxLength: 12 }).map(bytesOf),
  fc.oneof(fc.constantFrom(...PACKETS), fc.string()).map((packet) => bytesOf({ packet })),
);

describe('whatever is handed in', () => {
  test('brings answers for planned packets only, each once, or is refused with a reason', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.option(fc.constantFrom(...PACKETS, 'p-9'), { nil: undefined }),
        (given, assigned) => {
          const { packets, refused } = find(given, assigned);
          expect(packets.every((packet) => PACKETS.includes(packet))).toBe(true);
          expect(new Set(packets).size).toBe(packets.length);
          expect(packets.length + refused.length).toBeGreaterThan(0);
          for (const { message } of refused) expect(message).toMatch(/\.$/);
        },
      ),
    );
  });

  test('in the place of a planned packet is about that one or none', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom(...PACKETS), (given, assigned) => {
        const { packets, refused } = find(given, assigned);
        if (packets.length > 0) expect([packets, refused]).toEqual([[assigned], []]);
        else expect(refused).toMatchObject([{ code: 'wrong-packet', packet: assigned }]);
      }),
    );
  });
});

describe('an array of results', () => {
  test('brings an answer for each packet that one of its entries is about, in any order', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 30 }), fc.nat(), (entries, turn) => {
        const { packets, refused } = find(entries);
        const named = entries.flatMap((one) => {
          const task = (one as { readonly task_id?: string } | undefined)?.task_id ?? '';
          return planned.packetOf(task) ?? [];
        });
        expect([...packets].toSorted()).toEqual([...new Set(named)].toSorted());
        expect(refused).toHaveLength(entries.length - named.length);
        const at = turn % entries.length;
        const turned = find([...entries.slice(at), ...entries.slice(0, at)]);
        expect([...turned.packets].toSorted()).toEqual([...packets].toSorted());
      }),
    );
  });

  test('of another audit says so a hundred times at most', () => {
    const strange = Array.from({ length: 5000 }, (_, index) => ({ task_id: `s-${index}` }));
    const { packets, refused } = find([...strange, { task_id: 't-0' }]);
    expect([packets, refused.length]).toEqual([['p-0'], 100]);
  });

  test('that holds nothing is no verdict', () => {
    expect(find([])).toMatchObject({ packets: [], refused: [{ code: 'no-verdict' }] });
  });
});

test.each<[string, unknown, string | undefined, string]>([
  ['no JSON', bytesOf('{"packet":'), undefined, 'unreadable-answer'],
  ['nothing', new Uint8Array(), undefined, 'unreadable-answer'],
  ['a packet of nobody', { packet: 'p-9' }, undefined, 'unknown-packet'],
  ['the place of nobody', { packet: 'p-9' }, 'p-9', 'unknown-packet'],
  ['no packet', { results: [] }, undefined, 'wrong-shape'],
  ['another packet’s place', { packet: 'p-1' }, 'p-0', 'wrong-packet'],
])('%s is refused with its name', (_what, value, assigned, code) => {
  expect(find(value, assigned)).toMatchObject({ packets: [], refused: [{ code }] });
});

test('an answer is found with a byte order mark, and in the place of its packet even when it is broken', () => {
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"packet":"p-1"}')]);
  expect(find(marked)).toEqual({ packets: ['p-1'], refused: [] });
  // What is wrong with it the judgement tells, task by task.
  expect(find(bytesOf('{"packet":'), 'p-2')).toEqual({ packets: ['p-2'], refused: [] });
});
