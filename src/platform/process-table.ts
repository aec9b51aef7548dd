import { readdir, readFile } from 'node:fs/promises';
import { outputOf } from './subprocess.ts';

/** The environment variable that every process of an attempt carries: `<audit>:<token>` (A1). */
export const MARKER_VARIABLE = 'CASEFILE_ATTEMPT';

/** A process as the operating system shows it. */
export type ProcessRow = {
  readonly pid: number;
  /** Process group; equal to `pid` in the leader. */
  readonly group: number;
  /** It has ended and waits for its parent to ask how. Containers may keep such ones for ever. */
  readonly isZombie: boolean;
};

/** Living processes (no zombies) of a group. */
export const livingInGroup = async (group: number): Promise<readonly number[]> =>
  (await processRows()).filter((row) => row.group === group && !row.isZombie).map((row) => row.pid);

/**
 * Living processes whose environment, as it was when they started, has a marker that matches; never
 * this process itself. On Linux by `/proc`, elsewhere by `ps`, which shows the environments of the
 * user's own processes, and not of all of them: there the process group carries the weight.
 */
export const markedProcesses = async (
  matches: (marker: string) => boolean,
): Promise<readonly { readonly pid: number; readonly marker: string }[]> => {
  const marked = hasProcessFiles
    ? await markersInProc()
    : markersInPs(await ps('-AEww', 'pid=,command='));
  return marked.filter(({ pid, marker }) => pid !== process.pid && matches(marker));
};

/** The marked process that leads its group: the one that was started, not one of its children. */
export const leaderWithMarker = async (marker: string): Promise<number | undefined> => {
  const marked = await markedProcesses((found) => found === marker);
  if (marked.length === 0) return undefined;
  const leaders = (await processRows()).filter((row) => row.pid === row.group && !row.isZombie);
  return marked.find(({ pid }) => leaders.some((row) => row.pid === pid))?.pid;
};

const hasProcessFiles = process.platform === 'linux';

const processRows = async (): Promise<readonly ProcessRow[]> => {
  if (!hasProcessFiles) return rowsInPs(await ps('-A', 'pid=,pgid=,stat='));
  const rows = await Promise.all((await pidsInProc()).map(rowOf));
  return rows.filter((row) => row !== undefined);
};

const pidsInProc = async (): Promise<readonly number[]> =>
  (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);

/** A process that goes away while it is looked at, or that belongs to another user, is no error. */
const readProcessFile = (pid: number, name: string): Promise<string | undefined> =>
  readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => undefined);

const rowOf = async (pid: number): Promise<ProcessRow | undefined> => {
  const line = await readProcessFile(pid, 'stat');
  // The program's name stands in brackets and may itself hold brackets and blanks.
  const [state, , group] = line?.slice(line.lastIndexOf(')') + 2).split(' ') ?? [];
  if (state === undefined || group === undefined) return undefined;
  return { pid, group: Number(group), isZombie: state === 'Z' || state === 'X' };
};

const markersInProc = async (): Promise<readonly { pid: number; marker: string }[]> => {
  const marked = await Promise.all(
    (await pidsInProc()).map(async (pid) => {
      const environment = (await readProcessFile(pid, 'environ')) ?? '';
      const entry = environment.split('\0').find((text) => text.startsWith(MARKER_PREFIX));
      if (entry === undefined) return undefined;
      // A zombie's environment is gone with its memory, so that what is found here lives.
      return { pid, marker: entry.slice(MARKER_PREFIX.length) };
    }),
  );
  return marked.filter((process) => process !== undefined);
};

const ps = async (options: string, columns: string): Promise<string> =>
  (await outputOf(['ps', options, '-o', columns])) ?? '';

const MARKER_PREFIX = `${MARKER_VARIABLE}=`;

/** Lines of `ps -A -o pid=,pgid=,stat=`. */
export const rowsInPs = (output: string): readonly ProcessRow[] =>
  [...output.matchAll(/^ *(\d+) +(\d+) +(\S+)/gm)].map(([, pid, group, state]) => ({
    pid: Number(pid),
    group: Number(group),
    isZombie: state?.startsWith('Z') === true,
  }));

/** Lines of `ps -AEww -o pid=,command=`: the environment stands behind the arguments. */
export const markersInPs = (
  output: string,
): readonly { readonly pid: number; readonly marker: string }[] =>
  [...output.matchAll(/^ *(\d+) .*?(?: |^)CASEFILE_ATTEMPT=(\S+)/gm)].map(([, pid, marker]) => ({
    pid: Number(pid),
    marker: marker ?? '',
  }));
