import { join } from 'node:path';
import { z } from 'zod';
import type { Instant } from '../domain/ids.ts';
import type { Disk } from './disk.ts';

/**
 * The file that says that an attempt's process was, or was about to be, started (A1). It is made
 * before the spawn, so that a token is never started twice, whenever casefile dies:
 *
 *     {"marker":"<audit>:17","at":1796033640123}                     before the spawn, synced
 *     {"pid":4711,"startTime":"123456","bootId":"5a0c…"}             after it, synced
 *
 * Without a whole second line nobody knows whether there was a spawn; then the marker in the
 * processes' environments tells.
 */
export type StartedFile = {
  /** When it was started; undefined when the first line is damaged. */
  readonly at: Instant | undefined;
  readonly leader: LeaderIdentity | undefined;
};

const launchLine = z.object({ marker: z.string(), at: z.int().nonnegative() });
const leaderLine = z.object({
  pid: z.int().positive(),
  startTime: z.string(),
  bootId: z.string(),
});

/** The process that leads the attempt's group, beyond doubt: pids are used again. */
export type LeaderIdentity = Readonly<z.infer<typeof leaderLine>>;

/** Where an attempt with this scratch folder has the file. */
export const startedPath = (scratch: string): string => join(scratch, 'started');

export type StartedWriter = {
  readonly addLeader: (leader: LeaderIdentity) => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Makes the file, durable, or returns undefined when it was there before.
 *
 * @throws Node's error when the disk does not take it.
 */
export const createStartedFile = async (
  disk: Disk,
  scratch: string,
  launch: { readonly marker: string; readonly at: Instant },
): Promise<StartedWriter | undefined> => {
  await disk.makeDirectory(scratch);
  const file = await disk.open(startedPath(scratch), 'create').catch(unlessThere);
  if (file === undefined) return undefined;
  const first = lineOf(launch);
  try {
    await file.write(first, 0);
    await file.datasync();
    await disk.syncDirectory(scratch);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    addLeader: async (leader) => {
      await file.write(lineOf(leader), first.length);
      await file.datasync();
    },
    close: () => file.close(),
  };
};

/** What the file says; a line that was cut or lost in a crash says nothing. */
export const readStartedFile = async (disk: Disk, scratch: string): Promise<StartedFile> => {
  const text = Buffer.from(await disk.readFile(startedPath(scratch))).toString('utf8');
  const [first, second] = text.split('\n');
  return {
    at: parsed(launchLine, first)?.at,
    leader: parsed(leaderLine, second),
  };
};

const lineOf = (fields: object): Uint8Array => Buffer.from(`${JSON.stringify(fields)}\n`);

const parsed = <T>(schema: z.ZodType<T>, line: string | undefined): T | undefined => {
  try {
    return schema.safeParse(JSON.parse(line ?? '')).data;
  } catch {
    return undefined;
  }
};

const unlessThere = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'EEXIST') throw error;
};
