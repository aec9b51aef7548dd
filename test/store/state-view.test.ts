import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStateView } from '../../src/store/state-view.ts';
import { createSimulatedClock } from '../helpers/simulated-clock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const readState = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(file, 'utf8')) as unknown;

const fails = (error: unknown): void => {
  throw error;
};

test('the newest state is what a flush leaves, and nothing but the file', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'state.json');
  const view = createStateView({ file, clock: createSimulatedClock(), onError: fails });
  await view.flush();
  expect(await readdir(folder)).toEqual([]);
  view.update(() => ({ seq: 1 }));
  view.update(() => ({ seq: 2 }));
  await view.flush();
  expect(await readState(file)).toEqual({ seq: 2 });
  view.update(() => ({ seq: 3 }));
  await view.flush();
  expect(await readState(file)).toEqual({ seq: 3 });
  expect(await readdir(folder)).toEqual(['state.json']);
});

test('after a write the next one waits for its second, and takes the newest state', async () => {
  const file = join(await temporaryFolder(), 'state.json');
  const clock = createSimulatedClock();
  const view = createStateView({ file, clock, onError: fails });
  view.update(() => ({ seq: 1 }));
  await view.flush();
  view.update(() => ({ seq: 2 }));
  view.update(() => ({ seq: 3 }));
  expect(clock.sleepers()).toBe(1);
  expect(await readState(file)).toEqual({ seq: 1 });
  expect(clock.advanceToNext()).toBe(true);
  // The flush only waits for the write that has begun: there is nothing newer.
  await view.flush();
  expect(await readState(file)).toEqual({ seq: 3 });
});

test('a view that cannot be written tells it and harms nobody', async () => {
  const errors: unknown[] = [];
  const file = join(await temporaryFolder(), 'missing', 'state.json');
  const onError = (error: unknown): void => void errors.push(error);
  const view = createStateView({ file, clock: createSimulatedClock(), onError });
  view.update(() => ({ seq: 1 }));
  await view.flush();
  view.update(() => ({ seq: 2 }));
  await view.flush();
  expect(errors).toMatchObject([{ code: 'ENOENT' }, { code: 'ENOENT' }]);
});
