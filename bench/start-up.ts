import { spawnSync } from 'node:child_process';
import { PROGRAM } from './built-paths.ts';
import { inTurns, type Measured } from './measure.ts';

/** `casefile --version` against a Node that does nothing, both as processes of their own. */
export const measureStartUp = (rounds = 21): Promise<Measured> => {
  return inTurns(
    rounds,
    () => node(PROGRAM, '--version'),
    () => node('-e', '0'),
  );
};

const node = (...args: readonly string[]): void => {
  const { status } = spawnSync(process.execPath, args);
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}.`);
};
