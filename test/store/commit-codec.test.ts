import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LOG_START } from '../../src/domain/commit.ts';
import { strictEvent, tolerantEvent } from '../../src/domain/events.ts';
import { decodeLine, encodeCommit, isProblem } from '../../src/store/commit-codec.ts';
import { compileCheck } from '../../src/store/schema-check.ts';
import { upcast } from '../../src/store/upcasters.ts';
import type { Upcaster } from '../../src/store/upcasters.ts';
import { sampleDraft } from '../helpers/log-samples.ts';

const place = { seq: 41, epoch: 3, durable: 40, previousHash: LOG_START.hash };
const encoded = encodeCommit(sampleDraft(3, 2), place);
const line = Buffer.from(encoded.line);
const decode = (bytes: Buffer): ReturnType<typeof decodeLine> =>
  decodeLine(bytes, 0, bytes.length - 1);

test('a line is JSON with its keys in the order of the protocol, its time with milliseconds', () => {
  const value = JSON.parse(line.toString('utf8')) as Record<string, unknown>;
  const order = 'v seq at epoch durable cause events from to prev crc';
  expect(Object.keys(value).join(' ')).toBe(order);
  expect(value['at']).toBe('2026-11-30T10:14:00.126Z');
  expect(line.toString('utf8')).toMatch(/,"prev":"0{16}","crc":"[0-9a-f]{8}"\}\n$/);
});

test('what was encoded is decoded, whatever its texts hold', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(
    fc.property(text, text, fc.integer({ min: 0, max: 4e12 }), (question, value, at) => {
      const event = { type: 'OperatorAnswered', question, value, at } as const;
      const made = encodeCommit({ ...sampleDraft(1), at, events: [event] }, place);
      expect(decode(Buffer.from(made.line))).toEqual(made.commit);
    }),
    { numRuns: 200 },
  );
});

test('paths that are not UTF-8 keep their lone surrogates', () => {
  const event = { type: 'OperatorAnswered', question: 'a\udcff', value: '\udc80', at: 1 } as const;
  const made = encodeCommit({ ...sampleDraft(1), events: [event] }, place);
  expect(decode(Buffer.from(made.line))).toMatchObject({ events: [event] });
});

test('a checksum in capitals is no checksum', () => {
  const text = line.toString('latin1');
  const capital = text.replace(/"crc":"([0-9a-f]{8})"/, (suffix) => suffix.toUpperCase());
  expect(decode(Buffer.from(capital, 'latin1'))).toMatchObject({ problem: 'not-whole' });
});

test('a mark that leads is never written', () => {
  expect(() => encodeCommit(sampleDraft(1), { ...place, durable: 41 })).toThrow('L2');
});

test('an unknown field of a known event is kept, as a newer casefile may have written it', () => {
  const [event] = encoded.commit.events;
  expect(compileCheck(tolerantEvent)?.({ ...event, more: 1 })).toBe(true);
  expect(compileCheck(strictEvent)?.({ ...event, more: 1 })).toBe(false);
});

test('old lines are lifted one version at a time, before they are validated', () => {
  const chain: readonly Upcaster[] = [
    { from: 1, up: ({ at, ...rest }) => ({ ...rest, at: at, sum: 1 }) },
    { from: 2, up: ({ sum, ...rest }) => ({ ...rest, to: `lifted ${Number(sum) + 1}` }) },
  ];
  expect(upcast({ v: 1 }, 3, chain)).toMatchObject({ v: 3, to: 'lifted 2' });
  expect(upcast({ v: 2, sum: 5 }, 3, chain)).toMatchObject({ v: 3, to: 'lifted 6' });
  expect(upcast({ v: 3 }, 3, chain)).toEqual({ v: 3 });
  expect(() => upcast({ v: 1 }, 3, chain.slice(0, 1))).toThrow('a step from version 2');
  const lifted = decodeLine(line, 0, line.length - 1, chain, 3);
  expect(isProblem(lifted)).toBe(false);
  expect(lifted).toMatchObject({ to: 'lifted 2' });
});
