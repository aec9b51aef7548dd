import { expect, test } from 'vitest';
import { playEngine } from '../helpers/played-engine.ts';

test('while the clock is behind the log, a pause still lasts as long as it says', async () => {
  const { engine, clock, running, finish, settle } = await playEngine(1);
  const ended = engine.run();
  await settle();
  expect(running()).toEqual([1]);
  // The clock is set back by a day; the attempt fails, and its packet pauses for a second or so.
  clock.jump(-86_400_000);
  finish(1, { end: { kind: 'crashed', exitCode: 1 } });
  await settle();
  expect(running()).toEqual([]);
  clock.advanceBy(2_000);
  await settle();
  expect(running()).toEqual([1]);
  finish(1, { end: { kind: 'exited' }, answer: { digest: 'ab'.repeat(32) as never, bytes: 2 } });
  await settle();
  expect(await ended).toEqual({ kind: 'complete' });
});
