import { execFile } from 'node:child_process';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

const FILES: readonly (readonly [string, string])[] = [
  ['src/Äpfel.ts', 'export const a = 1;\n'],
  ['src/zebra.ts', "import { a } from './Äpfel.ts';\nexport const z = a;\n"],
  ['src/B.ts', 'export const b = () => eval("1");\n'],
  ['src/a.ts', 'export const c = 2;\n'],
  ['lib/i.js', 'module.exports = 1;\n'],
  ['lib/I2.js', 'module.exports = 2;\n'],
  ['README.md', '# sample\n'],
];

type Plan = {
  readonly packets: readonly { readonly id: string; readonly units: readonly string[] }[];
  readonly tasks: number;
};

/** Lays the files in the given order, each with its own time, and plans them. */
const planOf = async (
  files: readonly (readonly [string, string])[],
  world: { readonly hour: number; readonly env: Readonly<Record<string, string>> },
): Promise<{ readonly plan: Plan; readonly events: string }> => {
  const folder = await temporaryFolder();
  const root = join(folder, 'sample');
  for (const [index, [path, text]] of files.entries()) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await utimes(file, world.hour * 3600 + index, world.hour * 3600 + index);
  }
  const options = {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
      ...world.env,
    },
  };
  const flags = ['--provider', 'command', '--command', 'true'];
  const planned = await promisify(execFile)(
    process.execPath,
    [PROGRAM, 'plan', root, '--json', ...flags],
    options,
  );
  const log = await promisify(execFile)(
    process.execPath,
    [PROGRAM, 'log', root, '--json'],
    options,
  );
  const { audit: _, ...plan } = JSON.parse(planned.stdout) as Plan & { readonly audit: string };
  // Ids, instants and the audit's own number aside, the two logs are the same.
  const events = log.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.stringify((JSON.parse(line) as { readonly events: unknown }).events))
    .join('\n')
    .replaceAll(/"at":\d+/g, '')
    .replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{6}/g, '');
  return { plan, events };
};

const HERE = { hour: 400_000, env: { TZ: 'UTC', LC_ALL: 'C' } };
const ELSEWHERE = {
  hour: 123_456,
  env: { TZ: 'Asia/Kolkata', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
};

test('creation order, modification times, time zone and locale change no id and no digest (T21)', async () => {
  const here = await planOf(FILES, HERE);
  const elsewhere = await planOf(FILES.toReversed(), ELSEWHERE);
  expect(elsewhere.plan).toEqual(here.plan);
  expect(elsewhere.events).toBe(here.events);
});

test('a touched file changes only what holds it', async () => {
  const before = await planOf(FILES, HERE);
  const after = await planOf(
    FILES.map(([path, text]) => [path, path === 'lib/i.js' ? `${text}// touched\n` : text]),
    HERE,
  );
  const tasksOf = ({ events }: { readonly events: string }): Set<string> =>
    new Set(events.match(/"id":"t-[0-9a-f]{16}","kind":"review","unit":"src"/g));
  expect(tasksOf(after).size).toBeGreaterThan(0);
  expect(tasksOf(after)).toEqual(tasksOf(before));
  expect(after.events).not.toBe(before.events);
});
