import { setTimeout as wait } from 'node:timers/promises';
import { livingInGroup, markedProcesses } from './process-table.ts';
import { signalGroup, signalProcess } from './subprocess.ts';

/**
 * Ends an attempt's processes: first those of its group, politely and then not, and then whatever
 * else carries its marker, since a descendant can leave the group but hardly its environment.
 *
 *      SIGTERM to the group ──grace──► SIGKILL to the group ──► SIGKILL to the marked, until none
 *
 * A group whose members are all gone may belong to somebody else by now, so the group is given only
 * by those who have just seen its leader.
 */
export type ProcessTree = {
  readonly group?: number | undefined;
  readonly marker: string;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs: number;
};

/** Resolves when nothing of the tree runs, or when what is left cannot be killed (see `GIVE_UP`). */
export const endTree = async ({ group, marker, graceMs }: ProcessTree): Promise<void> => {
  if (group !== undefined && signalGroup(group, 'SIGTERM')) {
    await until(() => groupIsGone(group), graceMs);
    signalGroup(group, 'SIGKILL');
  }
  await endMarked((found) => found === marker);
  if (group !== undefined) await until(() => groupIsGone(group), GIVE_UP_MS);
};

/** Kills every living process whose marker matches, also those that are forked meanwhile. */
export const endMarked = async (matches: (marker: string) => boolean): Promise<void> => {
  await until(async () => {
    const marked = await markedProcesses(matches);
    for (const { pid } of marked) signalProcess(pid, 'SIGKILL');
    return marked.length === 0;
  }, GIVE_UP_MS);
};

/** A process in an uninterruptible wait outlives SIGKILL; nobody can do more about it. */
const GIVE_UP_MS = 5000;
const LOOK_EVERY_MS = 20;

const groupIsGone = async (group: number): Promise<boolean> =>
  !signalGroup(group, 0) || (await livingInGroup(group)).length === 0;

const until = async (holds: () => Promise<boolean>, limitMs: number): Promise<void> => {
  const deadline = performance.now() + limitMs;
  while (!(await holds()) && performance.now() < deadline) await wait(LOOK_EVERY_MS);
};
