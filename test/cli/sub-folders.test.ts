import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { auditsOf, commitsOf, findingsOf, fingerprintOf } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Ended, type Workplace } from '../helpers/built-program.ts';
import { git } from '../helpers/git-repository.ts';

/** Names that file systems, shells, globs and paths of other systems give a meaning. */
const NAMES = [
  'a b.js',
  'a:b.js',
  'back\\slash.js',
  'star*.js',
  'what?.js',
  '[set].js',
  '...',
  '..dots.js',
  '-dash.js',
  '{brace}.js',
  'quo\'te".js',
  'naïve-日本.js',
  'line\nbreak.js',
  '%41.js',
  '#hash.js',
  '$(id).js',
];
const FLAWED = 'export const run = (text) => eval(text);\n';
const FILES = Object.fromEntries(NAMES.map((name) => [`sub folder/ünter/${name}`, FLAWED]));

let place: Workplace;
beforeAll(async () => {
  place = await createWorkplace({ 'top.js': 'export const two = 2;\n', ...FILES });
});
afterAll(() => place.close());

const runIn = (folder: string, ...args: readonly string[]): Promise<Ended> =>
  place.startIn(folder, ...args).ended;

test('a run from a sub-folder has the same history as one from the top, whatever the names are (T24)', async () => {
  const sub = join(place.root, 'sub folder', 'ünter');
  const tree = fingerprintOf(place.root, ['.casefile']);
  const below = await runIn(sub, 'run');
  expect(below.code).toBe(0);
  expect(below.stderr).toContain(
    `The audited root is ${place.root}, the top of the git work tree.`,
  );
  expect(existsSync(join(sub, '.casefile'))).toBe(false);
  const history = historyOf();
  expect(
    findingsOf(place)
      .map(({ place: { path } }) => path)
      .toSorted(),
  ).toEqual(
    Object.keys(FILES)
      .filter((path) => path.endsWith('.js'))
      .toSorted(),
  );
  await rm(join(place.root, '.casefile'), { recursive: true });
  const top = await runIn(place.root, 'run');
  expect(top.stderr).not.toContain('The audited root is');
  expect(historyOf()).toEqual(history);
  expect(fingerprintOf(place.root, ['.casefile'])).toBe(tree);
  // From below again: the state folder leads to it now, and nothing is begun.
  const again = await runIn(sub, 'run');
  expect(again.stderr).toContain(`The audited root is ${place.root}, which holds .casefile.`);
  expect(auditsOf(place)).toHaveLength(1);
  const status = await runIn(sub, 'status');
  expect([status.code, status.stdout]).toEqual([0, expect.stringContaining('complete')]);
});

test('a root with blanks and letters of all kinds has the same history apart from its name (T24)', async () => {
  const odd = join(place.folder, 'home', 'Ein größeres „Projekt“: *?\\ 日本');
  await mkdir(odd);
  git(place.root, 'worktree', 'add', '--quiet', join(odd, 'project'), 'HEAD');
  onTestFinished(() => void git(place.root, 'worktree', 'remove', '--force', join(odd, 'project')));
  await rm(join(place.root, '.casefile'), { recursive: true, force: true });
  await runIn(place.root, 'run');
  const history = historyOf();
  await runIn(place.folder, 'run', join(odd, 'project'));
  expect(historyOf(join(odd, 'project'))).toEqual(history);
});

test('a start inside the state folder is refused, and no state folder is made in another (T24)', async () => {
  await runIn(place.root, 'run');
  const state = join(place.root, '.casefile');
  const before = fingerprintOf(state);
  for (const inside of [state, join(state, 'audits'), join(state, 'audits', auditsOf(place)[0]!)]) {
    for (const command of ['run', 'plan', 'status', 'gc', 'audits']) {
      const { code, stderr } = await runIn(inside, command);
      expect([code, stderr], command).toEqual([
        2,
        expect.stringContaining('inside a state folder'),
      ]);
    }
  }
  expect(fingerprintOf(state)).toBe(before);
  // With the project named, the working folder says nothing.
  expect((await runIn(state, 'status', '../')).code).toBe(0);
});

test('a state directory of another name is known for what it is', async () => {
  const kept = join(place.folder, 'home', 'kept');
  expect((await runIn(place.root, 'run', '--state-dir', kept)).code).toBe(0);
  const before = fingerprintOf(kept);
  const { code, stderr } = await runIn(join(kept, 'audits'), 'run');
  expect([code, stderr]).toEqual([2, expect.stringContaining('inside a state folder')]);
  expect(fingerprintOf(kept)).toBe(before);
});

test('without git the nearest state folder above is taken, else the folder itself', async () => {
  const plain = join(place.folder, 'plain');
  mkdirSync(join(plain, 'one', 'two'), { recursive: true });
  await writeFile(join(plain, 'notes.md'), '# Notes\n');
  await writeFile(join(plain, 'one', 'two', 'more.md'), '# More\n');
  expect((await runIn(plain, 'run')).code).toBe(0);
  const { stderr } = await runIn(join(plain, 'one', 'two'), 'status');
  expect(stderr).toBe(`The audited root is ${plain}, which holds .casefile.\n`);
  // An explicit root is taken as it is.
  expect((await runIn(join(plain, 'one'), 'run', 'two')).code).toBe(0);
  expect(readdirSync(join(plain, 'one', 'two'))).toEqual(['.casefile', 'more.md']);
  // It is the nearer one now.
  const nearer = await runIn(join(plain, 'one', 'two'), 'status');
  expect([nearer.code, nearer.stderr]).toEqual([0, '']);
});

test('a folder or link of that name which casefile did not make leads nowhere', async () => {
  const plain = join(place.folder, 'foreign');
  mkdirSync(join(plain, 'a', '.casefile'), { recursive: true });
  mkdirSync(join(plain, 'b', 'deep'), { recursive: true });
  mkdirSync(join(plain, 'a', 'deep'), { recursive: true });
  await symlink(join(place.root, '.casefile'), join(plain, 'b', '.casefile'));
  for (const folder of ['a/deep', 'b/deep']) {
    const { stderr } = await runIn(join(plain, folder), 'status');
    expect(stderr).toContain(`There is no audit in ${join(plain, folder, '.casefile')}`);
  }
});

test('a state folder above the work tree belongs to something else', async () => {
  const outer = join(place.folder, 'outer');
  mkdirSync(join(outer, 'inner', 'deep'), { recursive: true });
  await writeFile(join(outer, 'notes.md'), '# Notes\n');
  await runIn(outer, 'run');
  git(join(outer, 'inner'), 'init', '--quiet');
  const { stderr } = await runIn(join(outer, 'inner', 'deep'), 'status');
  expect(stderr).toContain(`There is no audit in ${join(outer, 'inner', '.casefile')}`);
});

/** What happened, without what differs between any two runs: times, ids of audits, process. */
const historyOf = (root = place.root): unknown =>
  commitsOf({ ...place, root }).map(({ seq, events, from, to, cause }) => ({
    seq,
    from,
    to,
    cause,
    events: events.map(
      (event) =>
        JSON.parse(
          JSON.stringify(event, (key, value: unknown) =>
            ['at', 'audit', 'leaseUntil', 'name', 'stdout', 'stderr'].includes(key)
              ? undefined
              : value,
          ),
        ) as unknown,
    ),
  }));

test('a relative root is looked for from the folder of the caller, and everything else lies in it (W90, W91)', async () => {
  const sub = join(place.root, 'sub folder');
  const planned = await runIn(
    sub,
    'plan',
    'ünter',
    '--json',
    '--provider',
    'command',
    '--command',
    'x',
  );
  expect(planned.code).toBe(0);
  expect((JSON.parse(planned.stdout) as { files: { total: number } }).files.total).toBe(
    NAMES.length,
  );
  expect(existsSync(join(sub, '.casefile'))).toBe(false);
  expect(existsSync(join(sub, 'ünter', '.casefile', 'audits'))).toBe(true);
});
