import { join } from 'node:path';
import { STATE_FOLDER } from '../platform/git-source-tree.ts';
import { commandLine } from './command-line.ts';
import { findRoot } from './find-root.ts';
import type { Place } from './locate.ts';

/** What a command must say to be about a place and an audit in it; undefined: it finds that by itself. */
export type Way = {
  readonly root: string | undefined;
  readonly audit: string | undefined;
  readonly stateDirectory: string | undefined;
};

/** The way that leads there from any folder. */
export const wayTo = ({ root, stateDirectory }: Place, audit: string | undefined): Way => ({
  root,
  audit,
  stateDirectory: stateDirectory === join(root, STATE_FOLDER) ? undefined : stateDirectory,
});

/** The way from the working folder, for people: it names the root only where it would not be found. */
export const wayFromHere = async (place: Place, audit: string | undefined): Promise<Way> => {
  const found = await findRoot(undefined).catch(() => undefined);
  const way = wayTo(place, audit);
  return found?.root === place.root ? { ...way, root: undefined } : way;
};

/** The words of a command of this program, without its own name, as a shell takes them. */
export const commandTo = (
  { root, audit, stateDirectory }: Way,
  ...command: readonly [string, ...string[]]
): string =>
  commandLine([
    ...command,
    ...(root === undefined ? [] : ROOT_IS_A_FLAG.has(command[0]) ? ['--root', root] : [root]),
    ...(audit === undefined ? [] : ['--audit', audit]),
    ...(stateDirectory === undefined ? [] : ['--state-dir', stateDirectory]),
  ]);

/** They take files or words as arguments; all others take the root as their last one. */
const ROOT_IS_A_FLAG: ReadonlySet<string> = new Set(['ingest', 'import', 'answer']);
