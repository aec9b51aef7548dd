import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { PROJECT } from './built-paths.ts';

/** A call that a fake program has noted. */
export type NotedCall = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
};

/** Programs of ours under the names of others, in a folder for PATH. */
export type FakeTools = {
  readonly folder: string;
  /** One that works and gives a report of `fixtures/imports`; without, one that is silent. */
  readonly add: (
    name: string,
    report?: string,
    more?: { readonly version?: string; readonly exitCode?: number },
  ) => Promise<string>;
  /** One that does not work; see `fixtures/analyzers/misbehaves.mjs`. */
  readonly addBad: (name: string, how: string) => Promise<string>;
  /** What the working ones were asked, but for their version. */
  readonly calls: () => readonly NotedCall[];
};

export const createFakeTools = async (home: string): Promise<FakeTools> => {
  const folder = join(home, 'bin');
  const log = join(home, 'tool-calls');
  await mkdir(folder, { recursive: true });
  const put = async (name: string, script: string, args: readonly string[]): Promise<string> => {
    const words = [process.execPath, join(PROJECT, 'fixtures', 'analyzers', script), ...args];
    const program = join(folder, name);
    await writeFile(program, `#!/bin/sh\nexec ${words.map(quoted).join(' ')} "$@"\n`);
    await chmod(program, 0o755);
    return program;
  };
  return {
    folder,
    add: (name, report, { version = '1.2.3', exitCode = 0 } = {}) => {
      const file = report === undefined ? '' : join(PROJECT, 'fixtures', 'imports', report);
      return put(name, 'prints-report.mjs', [log, file, version, String(exitCode)]);
    },
    addBad: (name, how) => put(name, 'misbehaves.mjs', [how]),
    calls: () => notedIn(log).filter(({ args }) => !/^-{0,2}version$/.test(args.join(' '))),
  };
};

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

const notedIn = (log: string): readonly NotedCall[] => {
  try {
    const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as NotedCall);
  } catch {
    return [];
  }
};
