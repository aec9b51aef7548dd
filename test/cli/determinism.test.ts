import { execFile } from 'node:child_process';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { mixedTree } from '../../bench/mixed-tree.ts';
import { PROGRAM } from '../helpers/built-paths.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

type Files = readonly (readonly [path: string, text: string])[];

/** Names that locales order in different ways, and some of every language beside them. */
const FILES: Files = [
  ['src/Äpfel.ts', 'export const a = 1;\n'],
  ['src/zebra.ts', "import { a } from './Äpfel.ts';\nexport const z = a;\n"],
  ['src/B.ts', 'export const b = () => eval("1");\n'],
  ['src/a.ts', 'export const c = 2;\n'],
  ['lib/i.js', 'module.exports = 1;\n'],
  ['lib/I2.js', 'module.exports = 2;\n'],
  ['lib/ısı.js', "module.exports = require('./i.js');\n"],
  ['README.md', '# sample\n'],
  ...mixedTree(60),
];

type World = {
  readonly hour: number;
  readonly env: Readonly<Record<string, string>>;
  /** Where the tree lies, below a folder of the test's own. */
  readonly place: string;
};

type Told = {
  /** What `plan --json` prints, without the name of the audit. */
  readonly plan: string;
  /** The events of the log, without the name of the audit and the time. */
  readonly events: string;
  /** Digests of what the stages derived, by stage. */
  readonly artifacts: Readonly<Record<string, string>>;
};

/** Lays the files in the given order, each with its own time, and plans them with the real program. */
const planOf = async (files: Files, { hour, env, place }: World): Promise<Told> => {
  const folder = await temporaryFolder();
  const root = join(folder, place, 'sample');
  for (const [index, [path, text]] of files.entries()) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    await utimes(file, hour * 3600 + index, hour * 3600 + index);
  }
  const options = {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
      ...env,
    },
    maxBuffer: 2 ** 28,
  };
  const flags = ['--provider', 'command', '--command', 'true'];
  const run = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [PROGRAM, ...args], options)).stdout;
  const plan = await run('plan', root, '--json', ...flags);
  const lines = (await run('log', root, '--json')).trimEnd().split('\n');
  const events = lines.flatMap(
    (line) => (JSON.parse(line) as { readonly events: readonly Logged[] }).events,
  );
  const artifacts = events.flatMap(({ type, obligation, artifact }) =>
    type === 'ArtifactDerived' ? [[obligation ?? '', artifact?.digest ?? ''] as const] : [],
  );
  return {
    plan: withoutAudit(plan),
    events: withoutAudit(events.map((event) => JSON.stringify(event)).join('\n')).replaceAll(
      /"at":\d+/g,
      '',
    ),
    artifacts: Object.fromEntries(artifacts),
  };
};

type Logged = {
  readonly type: string;
  readonly obligation?: string;
  readonly artifact?: { readonly digest: string };
};

const withoutAudit = (text: string): string => text.replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{6}/g, '');

const HERE: World = { hour: 400_000, env: { TZ: 'UTC', LC_ALL: 'C' }, place: '' };
const TURKEY: World = {
  hour: 123_456,
  env: { TZ: 'Asia/Kolkata', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' },
  place: 'başka/yer mit Leerzeichen',
};
const SWEDEN: World = {
  hour: 222_222,
  env: { TZ: 'America/St_Johns', LC_ALL: 'sv_SE.UTF-8' },
  place: 'a/deeper/place',
};

test('creation order, modification times, time zone, locale and path change no byte of a plan, and no artifact and no event (T21, W10, W12, W94)', async () => {
  const here = await planOf(FILES, HERE);
  expect(Object.keys(here.artifacts)).toEqual(
    expect.arrayContaining(['disposition', 'structure', 'planning']),
  );
  for (const digest of Object.values(here.artifacts)) expect(digest).toMatch(/^[0-9a-f]{64}$/);
  const elsewhere = await planOf(FILES.toReversed(), TURKEY);
  const third = await planOf(FILES.toSorted(shuffling), SWEDEN);
  for (const other of [elsewhere, third]) {
    expect(other.plan).toBe(here.plan);
    expect(other.artifacts).toEqual(here.artifacts);
    expect(other.events).toBe(here.events);
  }
});

/** Any order that is neither the one nor its reverse. */
const shuffling = ([left]: Files[number], [right]: Files[number]): number =>
  left.length - right.length || (left < right ? 1 : -1);

test('a file that nothing binds to others changes no task but its own (T21)', async () => {
  const before = taskIds(await planOf(FILES, HERE));
  const after = taskIds(await planOf([...FILES, ['lib/apart.js', 'module.exports = 9;\n']], HERE));
  expect(before.length).toBeGreaterThan(50);
  expect(after).toEqual(expect.arrayContaining([...before]));
  expect(after.length).toBeGreaterThan(before.length);
});

const taskIds = ({ events }: Told): readonly string[] => [
  ...new Set(events.match(/"id":"t-[0-9a-f]{16}"/g)),
];

test('a touched file changes only what holds it', async () => {
  const before = await planOf(FILES, HERE);
  const after = await planOf(
    FILES.map(([path, text]) => [path, path === 'lib/i.js' ? `${text}// touched\n` : text]),
    HERE,
  );
  const tasksOf = ({ events }: Told): Set<string> =>
    new Set(events.match(/"id":"t-[0-9a-f]{16}","kind":"review","unit":"src"/g));
  expect(tasksOf(after).size).toBeGreaterThan(0);
  expect(tasksOf(after)).toEqual(tasksOf(before));
  expect(after.events).not.toBe(before.events);
});
