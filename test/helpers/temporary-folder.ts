import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A folder of one test's own on the real disk; gone when the test is over. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'casefile-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** A folder that the tests of a block share, for its `beforeAll`; gone when they are over. */
export const keptFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'casefile-test-'));
  kept.push(folder);
  return folder;
};

const kept: string[] = [];
afterAll(async () => {
  for (const folder of kept) await rm(folder, { recursive: true, force: true });
});

/** Writes files below `folder` by their relative paths, with the folders that they need. */
export const writeFiles = async (
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> => {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
};
