import { describe, expect, test } from 'vitest';
import { lastNumberOf, LOG_START } from '../../src/domain/commit.ts';
import { StaleWriterError, StoreFailedError } from '../../src/store/event-store.ts';
import type { EventStore } from '../../src/store/event-store.ts';
import { appendNext, collect, sampleDraft } from '../helpers/log-samples.ts';

/** A log that outlives its writers: opening it again stands for the next process. */
export type LogUnderTest = { readonly open: (epoch: number) => Promise<EventStore> };

export const eventStoreContract = (name: string, create: () => Promise<LogUnderTest>): void => {
  describe(`${name} keeps the event store's contract`, () => {
    test('a new log stands at its start and holds nothing', async () => {
      const store = await (await create()).open(1);
      expect(store.head()).toEqual(LOG_START);
      expect(store.durable()).toEqual(LOG_START);
      expect(await collect(store.read())).toEqual([]);
      await store.close();
    });

    test('commits are numbered by their events, chained, and read back as they were handed in', async () => {
      const store = await (await create()).open(1);
      const first = await appendNext(store, 1, sampleDraft(1, 3));
      const second = await appendNext(store, 1, sampleDraft(2));
      expect([first.commit.seq, second.commit.seq]).toEqual([1, 4]);
      expect(first.commit).toMatchObject(sampleDraft(1, 3));
      expect(second.commit.prev).toBe(first.position.hash.slice(0, 16));
      expect(store.durable()).toEqual(second.position);
      expect(await collect(store.read())).toEqual([first.commit, second.commit]);
      await store.close();
    });

    test('commits that come together become durable in the order in which they came', async () => {
      const store = await (await create()).open(1);
      const order: number[] = [];
      const appends = Array.from({ length: 20 }, async () => {
        const { commit } = await appendNext(store, 1);
        order.push(commit.seq);
        expect(store.durable().seq).toBeGreaterThanOrEqual(lastNumberOf(commit));
      });
      expect(store.head().seq).toBe(20);
      await Promise.all(appends);
      expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      await store.close();
    });

    test('a commit never says that more is durable than was before it', async () => {
      const store = await (await create()).open(1);
      await Promise.all(Array.from({ length: 5 }, () => appendNext(store, 1)));
      await Promise.all(Array.from({ length: 5 }, () => appendNext(store, 1)));
      const marks = (await collect(store.read())).map(({ seq, durable }) => ({ seq, durable }));
      for (const { seq, durable } of marks) expect(durable).toBeLessThan(seq);
      expect(marks.at(-1)?.durable).toBeGreaterThanOrEqual(5);
      await store.close();
    });

    test('reading from a number begins with the commit that holds it', async () => {
      const store = await (await create()).open(1);
      for (let number = 1; number <= 4; number += 1)
        await appendNext(store, 1, sampleDraft(number, 2));
      const seqs = async (from?: number): Promise<readonly number[]> =>
        (await collect(store.read(from))).map(({ seq }) => seq);
      expect(await seqs()).toEqual([1, 3, 5, 7]);
      expect(await seqs(4)).toEqual([3, 5, 7]);
      expect(await seqs(8)).toEqual([7]);
      expect(await seqs(9)).toEqual([]);
      await store.close();
    });

    test('a writer that fell behind is told so and writes nothing', async () => {
      const store = await (await create()).open(1);
      await appendNext(store, 1);
      await expect(store.append(sampleDraft(2), { seq: 0, epoch: 1 })).rejects.toThrow(
        StaleWriterError,
      );
      await expect(store.append(sampleDraft(2), { seq: 1, epoch: 2 })).rejects.toThrow(
        StaleWriterError,
      );
      expect(store.head().seq).toBe(1);
      await appendNext(store, 1);
      expect(await collect(store.read())).toHaveLength(2);
      await store.close();
    });

    test('a commit without events, or with an event that breaks its schema, is a broken invariant', async () => {
      const store = await (await create()).open(1);
      await expect(appendNext(store, 1, { ...sampleDraft(1), events: [] })).rejects.toThrow('L1');
      const event = { ...sampleDraft(1).events[0], surprise: 1 } as never;
      await expect(appendNext(store, 1, { ...sampleDraft(1), events: [event] })).rejects.toThrow(
        'OperatorAnswered keeps its schema',
      );
      expect(store.head()).toEqual(LOG_START);
      await store.close();
    });

    test('the next writer goes on where the last one stood', async () => {
      const log = await create();
      const first = await log.open(1);
      await appendNext(first, 1);
      const { position } = await appendNext(first, 1);
      await first.close();
      const second = await log.open(2);
      expect(second.durable()).toEqual(position);
      await appendNext(second, 2);
      expect((await collect(second.read())).map(({ epoch }) => epoch)).toEqual([1, 1, 2]);
      await second.close();
    });

    test('a writer stops for good when a younger one exists', async () => {
      const log = await create();
      const old = await log.open(1);
      await appendNext(old, 1);
      const young = await log.open(2);
      await appendNext(young, 2);
      await expect(appendNext(old, 1)).rejects.toThrow(StaleWriterError);
      await expect(appendNext(old, 1)).rejects.toThrow(StaleWriterError);
      await expect(log.open(1)).rejects.toThrow(StaleWriterError);
      expect(await collect(young.read())).toHaveLength(2);
      await old.close();
      await young.close();
    });

    test('a writer stops also when the younger one has not written yet', async () => {
      const log = await create();
      const old = await log.open(1);
      await appendNext(old, 1);
      const young = await log.open(2);
      await expect(appendNext(old, 1)).rejects.toThrow(StaleWriterError);
      await expect(log.open(1)).rejects.toThrow(StaleWriterError);
      expect(young.durable().seq).toBe(1);
      await old.close();
      await young.close();
    });

    test('closing waits for what was handed in, and nothing can be handed in afterwards', async () => {
      const store = await (await create()).open(1);
      const appends = [appendNext(store, 1), appendNext(store, 1)];
      await store.close();
      expect(store.durable().seq).toBe(2);
      await Promise.all(appends);
      await expect(appendNext(store, 1)).rejects.toThrow(StoreFailedError);
    });
  });
};
