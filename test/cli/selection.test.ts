import { chownSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { auditsOf, eventsOf, findingsOf, reportFile } from '../helpers/audit-on-disk.ts';
import { expectRows, type BadInputRow } from '../helpers/bad-input-row.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { git } from '../helpers/git-repository.ts';

const FLAWED = 'export const run = (text) => eval(text);\n';

/** `core` is used by `user`, that by `far`; `other` stands alone. All but `clean` have a finding. */
const FILES = {
  'lib/core.js': FLAWED,
  'lib/user.js': `import { run } from './core.js';\nexport { run };\nexport const u = (t) => eval(t);\n`,
  'lib/far.js': `import { run } from './user.js';\nexport { run };\nexport const f = (t) => eval(t);\n`,
  'lib/other.js': FLAWED,
  'test/core.test.js': `import '../lib/core.js';\nexport const t = (text) => eval(text);\n`,
  'vendor/lib.min.js': FLAWED,
  'notes.md': '# Notes\n',
};

const place = async (files: Readonly<Record<string, string>> = FILES): Promise<Workplace> => {
  const made = await createWorkplace(files);
  onTestFinished(() => made.close());
  return made;
};

const write = ({ root }: Workplace, path: string, content: string): void =>
  writeFileSync(join(root, path), content);
const commit = ({ root }: Workplace): void => {
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', 'Change');
};
const short = ({ root }: Workplace, name: string): string =>
  git(root, 'rev-parse', name).slice(0, 7);

type PlanJson = {
  readonly tasks: number;
  readonly selection?: {
    readonly base: string;
    readonly changed: readonly string[];
    readonly deleted: readonly string[];
    readonly selected: {
      readonly changed: readonly string[];
      readonly near: readonly { readonly path: string }[];
    };
  };
  readonly skipped: readonly { readonly by: string; readonly reason: string }[];
};

const planned = async (at: Workplace, ...args: readonly string[]): Promise<PlanJson> => {
  const { code, stdout, stderr } = await at.run('plan', '--json', ...args);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as PlanJson;
};

const selectedIn = async (at: Workplace, ...args: readonly string[]) => {
  const { selection } = await planned(at, ...args);
  return {
    changed: selection?.changed,
    deleted: selection?.deleted,
    reviewed: selection?.selected.changed,
    near: selection?.selected.near.map(({ path }) => path),
  };
};

test('since a ref, what was committed, staged, edited and never added is reviewed, and nothing twice (W54)', async () => {
  const at = await place({ ...FILES, 'a.md': '1\n', 'b.md': '1\n', 'c.md': '1\n' });
  git(at.root, 'checkout', '--quiet', '-b', 'topic');
  write(at, 'a.md', '2\n');
  commit(at);
  git(at.root, 'checkout', '--quiet', 'main');
  write(at, 'notes.md', 'What main did meanwhile is not the topic.\n');
  commit(at);
  git(at.root, 'checkout', '--quiet', 'topic');
  write(at, 'b.md', '2\n');
  git(at.root, 'add', 'b.md');
  write(at, 'c.md', '2\n');
  write(at, 'new.js', FLAWED);
  const { code, stderr } = await at.run('run', '--since', 'main');
  expect([code, stderr]).toEqual([0, expect.stringContaining('what changed since main')]);
  const [opened] = eventsOf(at, 'AuditOpened');
  expect(opened?.['settings']).toHaveProperty('selection', {
    kind: 'since',
    asked: 'main',
    base: git(at.root, 'rev-parse', 'main~1').trim(),
    head: git(at.root, 'rev-parse', 'topic').trim(),
    changed: ['a.md', 'b.md', 'c.md', 'new.js'],
    deleted: [],
  });
  expect(new Set(findingsOf(at).map((one) => one.place.path))).toEqual(new Set(['new.js']));
});

test('one changed line selects that file and what needs it, not a part of the repository (W55)', async () => {
  const users = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `src/user${at}.js`,
      `import { run } from '../lib/core.js';\nexport const u${at} = run;\n`,
    ]),
  );
  const at = await place({ ...FILES, ...users });
  write(at, 'lib/core.js', `// One line.\n${FLAWED}`);
  const { reviewed, near } = await selectedIn(at, '--since', 'HEAD', '--provider', 'handoff');
  expect(reviewed).toEqual(['lib/core.js']);
  expect(near).toHaveLength(6);
  expect(near?.[0]).toBe('test/core.test.js');
});

test('what is near comes in, what is deleted or renamed counts for what needs it, and the plan says so', async () => {
  const at = await place();
  rmSync(join(at.root, 'lib/core.js'));
  const gone = await selectedIn(at, '--since', 'HEAD');
  expect(gone).toEqual({
    changed: [],
    deleted: ['lib/core.js'],
    reviewed: [],
    near: ['lib/user.js', 'test/core.test.js', 'lib/far.js'],
  });
  git(at.root, 'checkout', '--quiet', '.');
  git(at.root, 'mv', 'lib/other.js', 'lib/renamed.js');
  expect(await selectedIn(at, '--staged')).toEqual({
    changed: ['lib/renamed.js'],
    deleted: ['lib/other.js'],
    reviewed: ['lib/renamed.js'],
    near: [],
  });
  const { stdout } = await at.run('plan', '--staged');
  expect(stdout).toMatch(
    /selection {2}changed in the index since HEAD \([0-9a-f]{7}\): 1 file, 1 deleted\n +to review: 1 of them, and 0 files near/,
  );
});

test('every cell that is not selected is skipped with the base in its reason, and totals reconcile', async () => {
  const at = await place();
  write(at, 'lib/core.js', `${FLAWED}// More.\n`);
  write(at, 'vendor/lib.min.js', `${FLAWED}// More.\n`);
  const { code, stdout } = await at.run('run', '--since', 'HEAD', '--fail-on', 'none', '--json');
  expect(code).toBe(0);
  const { coverage, selection } = JSON.parse(stdout) as {
    coverage: Readonly<Record<string, number>>;
    selection: object;
  };
  const head = git(at.root, 'rev-parse', 'HEAD').trim();
  expect(selection).toEqual({
    ...{ kind: 'since', asked: 'HEAD', base: head, head, changed: 2, deleted: 0 },
  });
  const sum = Object.values(coverage).reduce((total, count) => total + count, 0);
  expect(sum).toBe(3 * Object.keys(FILES).length);
  const { skipped, asked } = JSON.parse(readFileSync(reportFile(at, 'findings.json'), 'utf8')) as {
    skipped: readonly { by: string; reason: string; files: readonly string[] }[];
    asked: { selection: { changed: readonly string[] } };
  };
  expect(asked.selection.changed).toEqual(['lib/core.js', 'vendor/lib.min.js']);
  const reason = `not changed since HEAD (${head.slice(0, 7)}), and nothing that changed is near`;
  expect(skipped.filter((group) => group.reason === reason).flatMap(({ files }) => files)).toEqual([
    'lib/other.js',
    'notes.md',
  ]);
  // Changed or not, what is vendored stays out, with its own reason.
  const vendored = skipped.find(({ files }) => files.includes('vendor/lib.min.js'));
  expect(vendored?.by).toBe('disposition');
  expect(new Set(findingsOf(at).map((one) => one.place.path))).toEqual(
    new Set(['lib/core.js', 'lib/user.js', 'lib/far.js', 'test/core.test.js']),
  );
  expect(readFileSync(reportFile(at, 'report.md'), 'utf8')).toContain(
    `Selected: what changed since HEAD (${head.slice(0, 7)}): 2 files`,
  );
});

test('nothing changed is an answer: exit 0, a sentence that names the base, and the whole result object', async () => {
  const at = await place();
  const said = `Nothing changed since main (${short(at, 'main')}); there is nothing to review.`;
  const plain = await at.run('run', '--since', 'main', '--require-complete');
  expect([plain.code, plain.stdout]).toEqual([0, '']);
  expect(plain.stderr).toContain(said);
  expect(readFileSync(reportFile(at, 'report.md'), 'utf8')).toContain('Nothing changed since main');
  const { code, stdout } = await at.run('run', '--since', 'main', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    contract: 'casefile/v1',
    how: 'full',
    coverage: { reviewed: 0, analyzersOnly: 0, failed: 0, notReviewed: 0, skipped: 21 },
    exit: { code: 0, reason: 'complete', reasons: [{ reason: 'complete', message: said }] },
  });
  expect((await at.run('plan', '--since', 'main')).stdout).toContain(said);
  expect((await at.run('run', '--since', 'main', '--provider', 'handoff')).code).toBe(0);
});

test('the same selection goes on, another is another audit, and one of a part is no answer about the whole', async () => {
  const at = await place();
  write(at, 'lib/core.js', `${FLAWED}// More.\n`);
  const since = ['run', '--since', 'main', '--fail-on', 'none'];
  expect((await at.run(...since, '--max-runs', '1', '--lenses', 'security')).code).toBe(0);
  const again = await at.run(...since, '--lenses', 'security');
  expect(again.stderr).toContain('Nothing has changed since; nothing was done.');
  expect(auditsOf(at)).toHaveLength(1);
  // By another name it is another question, and so is the whole.
  await at.run('run', '--since', 'HEAD', '--fail-on', 'none', '--lenses', 'security');
  expect(auditsOf(at)).toHaveLength(2);
  const whole = await at.run('run', '--fail-on', 'none', '--lenses', 'security', '--json');
  expect(auditsOf(at)).toHaveLength(3);
  expect(JSON.parse(whole.stdout)).not.toHaveProperty('selection');
  const first = auditsOf(at)[0] ?? '';
  const other = await at.run('run', '--audit', first, '--since', 'HEAD');
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringMatching(/asks something else .*only what changed since main/),
  ]);
});

test('an unfinished audit of a selection goes on without git, and needs no flag for it', async () => {
  const at = await place();
  write(at, 'lib/core.js', `${FLAWED}// More.\n`);
  const args = ['--provider', 'handoff', '--fail-on', 'none'];
  expect((await at.run('run', '--since', 'main', ...args)).code).toBe(3);
  expect((await at.run('run', '--since', 'main', ...args)).stderr).toContain('Going on with audit');
  git(at.root, 'branch', '--move', 'main', 'renamed');
  const next = await at.run('next', '--json');
  expect([next.code, (JSON.parse(next.stdout) as { kind: string }).kind]).toEqual([0, 'review']);
  expect((await at.run('run', ...args)).stderr).toContain('only what changed since main');
  expect(auditsOf(at)).toHaveLength(1);
  expect((await at.run('replay', '--verify')).code).toBe(0);
});

test('what is staged is reviewed as the tree has it, and who staged something else is told', async () => {
  const at = await place();
  write(at, 'lib/other.js', `${FLAWED}// Staged.\n`);
  git(at.root, 'add', '--all');
  write(at, 'lib/other.js', 'export const clean = 1;\n');
  write(at, 'lib/core.js', 'export const run = 1;\n');
  const { code, stderr } = await at.run('run', '--staged');
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /1 file will be reviewed as the tree has it, which is other than what is staged: lib\/other\.js\./,
    ),
  ]);
  expect(readFileSync(reportFile(at, 'report.md'), 'utf8')).toContain('1 file lay in the tree');
  expect(findingsOf(at)).toEqual([]);
});

test('a range ends at HEAD, and what the tree has beyond it is not of the range', async () => {
  const at = await place();
  git(at.root, 'checkout', '--quiet', '-b', 'topic');
  write(at, 'lib/other.js', `${FLAWED}// More.\n`);
  commit(at);
  git(at.root, 'checkout', '--quiet', 'main');
  write(at, 'notes.md', 'Meanwhile.\n');
  commit(at);
  git(at.root, 'checkout', '--quiet', 'topic');
  write(at, 'untracked.md', 'New.\n');
  const changed = async (range: string) => (await selectedIn(at, '--diff', range)).changed;
  expect(await changed('main...HEAD')).toEqual(['lib/other.js']);
  expect(await changed('main...topic')).toEqual(['lib/other.js']);
  expect(await changed('main..')).toEqual(['lib/other.js', 'notes.md']);
  expect(await changed('main')).toEqual(['lib/other.js', 'notes.md', 'untracked.md']);
  expect(await changed('HEAD..HEAD')).toEqual([]);
});

test('below the top of the work tree, only what lies below the root counts', async () => {
  const at = await place();
  write(at, 'notes.md', 'Changed.\n');
  write(at, 'lib/other.js', `${FLAWED}// More.\n`);
  const { code, stdout } = await at.startIn(at.root, 'plan', 'lib', '--since', 'HEAD', '--json')
    .ended;
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as PlanJson).selection?.changed).toEqual(['other.js']);
});

test('patterns narrow what changed, and depth quick reads all of it', async () => {
  const at = await place();
  write(at, 'lib/core.js', `${FLAWED}// More.\n`);
  write(at, 'lib/other.js', `${FLAWED}// More.\n`);
  const narrow = await selectedIn(at, '--since', 'main', '--exclude', 'lib/core.js');
  expect(narrow).toMatchObject({
    changed: ['lib/core.js', 'lib/other.js'],
    reviewed: ['lib/other.js'],
    near: ['lib/user.js', 'test/core.test.js', 'lib/far.js'],
  });
  const quick = await planned(at, '--since', 'main', '--provider', 'handoff', '--depth', 'quick');
  const reasons = quick.skipped.map(({ reason }) => reason);
  expect(reasons).toContain('not asked at depth quick');
  expect(reasons.filter((reason) => reason.startsWith('less risky'))).toEqual([]);
});

/** A repository about which it cannot be told what changed. */
type Unclear = Omit<BadInputRow, 'args' | 'code' | 'prepare'> & {
  readonly args: readonly string[];
  readonly prepare?: (at: Workplace) => void;
};

const forget = ({ root }: Workplace): void =>
  rmSync(join(root, '.git'), { recursive: true, force: true });

const UNCLEAR: readonly Unclear[] = [
  {
    what: 'no git at all',
    args: ['--since', 'main'],
    prepare: forget,
    says: /is in no git work tree .*so --since cannot tell what changed\.\n {2}Leave --since out/,
  },
  {
    what: 'no commit',
    args: ['--staged'],
    prepare: (at) => {
      forget(at);
      git(at.root, 'init', '--quiet');
    },
    says: /has no commit yet .*\n {2}Commit first, or leave the flag out/,
  },
  {
    what: 'a HEAD to nowhere',
    args: ['--since', 'main'],
    prepare: (at) => write(at, '.git/HEAD', 'ref: refs/heads/nowhere\n'),
    says: /no commit yet \(or its HEAD leads nowhere\)/,
  },
  {
    what: 'a bare repository',
    args: ['--since', 'HEAD'],
    prepare: (at) => {
      forget(at);
      for (const name of ['lib', 'test', 'vendor', 'notes.md'])
        rmSync(join(at.root, name), { recursive: true });
      git(at.root, 'init', '--quiet', '--bare');
    },
    says: /is a repository's own data/,
  },
  {
    what: 'a shallow clone without the merge base',
    args: ['--since', 'origin/side'],
    prepare: (at) => {
      git(at.root, 'checkout', '--quiet', '-b', 'side');
      write(at, 'side.md', 'A line.\n');
      commit(at);
      git(at.root, 'checkout', '--quiet', 'main');
      write(at, 'main.md', 'A line.\n');
      commit(at);
      const whole = join(at.folder, 'whole');
      git(at.root, 'clone', '--quiet', '--bare', at.root, whole);
      rmSync(at.root, { recursive: true });
      git(
        at.folder,
        'clone',
        '--quiet',
        '--depth=1',
        '--no-single-branch',
        `file://${whole}`,
        at.root,
      );
    },
    says: /The merge base of "origin\/side" and "HEAD" is not in this clone.*\n.*git fetch --unshallow .*fetch-depth: 0/,
  },
  {
    what: 'unrelated histories',
    args: ['--since', 'main'],
    prepare: (at) => {
      git(at.root, 'checkout', '--quiet', '--orphan', 'other');
      git(at.root, 'commit', '--quiet', '--message', 'Other');
    },
    says: /"main" and "HEAD" have no common ancestor.*\n.*--diff main\.\.HEAD/,
  },
  {
    what: 'a range that ends elsewhere',
    args: ['--diff', 'HEAD~1..HEAD~1'],
    prepare: (at) => {
      write(at, 'notes.md', 'More.\n');
      commit(at);
    },
    says: /The range ends at HEAD~1 \([0-9a-f]{7}\), and the work tree has HEAD \([0-9a-f]{7}\).*\n.*git switch --detach HEAD~1.*--diff HEAD~1\.\.\.HEAD/,
  },
  {
    what: 'a folder that git ignores as a whole',
    args: ['out', '--since', 'HEAD'],
    prepare: (at) => {
      write(at, '.gitignore', 'out/\n');
      mkdirSync(join(at.root, 'out'));
      write(at, 'out/a.js', FLAWED);
    },
    says: /git ignores the whole of .*out, so --since cannot tell/,
  },
  {
    what: 'a damaged index',
    args: ['--since', 'HEAD'],
    prepare: (at) => write(at, '.git/index', 'not an index'),
    says: /git ls-files .* failed/,
  },
];

const unclearRows = (rows: readonly Unclear[]): Promise<void> =>
  expectRows(
    rows.map((row) => ({ ...row, args: ['run', ...row.args], code: 2 })),
    async () => place(),
  );

test('where it cannot be told what changed, the end is exit 2 with what to do: never a green end over nothing, never a review of everything (B26)', () =>
  unclearRows(UNCLEAR));

// Only root can give a folder away.
test.skipIf(process.getuid?.() !== 0)(
  'a repository that git does not open, since it belongs to another user, ends with exit 2 (B26)',
  () =>
    unclearRows([
      {
        what: 'ownership',
        args: ['--since', 'main'],
        prepare: ({ root }) => {
          for (const name of ['', '.git']) chownSync(join(root, name), 12345, 12345);
        },
        says: /belongs to another user.*\n {2}If you trust it: git config/,
      },
    ]),
);

test('odd files are told apart by what git has of them: links, modes, a submodule, a name that is not UTF-8', async () => {
  const at = await place();
  symlinkSync('core.js', join(at.root, 'lib/link.js'));
  writeFileSync(
    Buffer.concat([Buffer.from(`${at.root}/`), Buffer.from([0x66, 0xff, 0x2e, 0x6a, 0x73])]),
    FLAWED,
  );
  mkdirSync(join(at.root, 'inner'));
  git(join(at.root, 'inner'), 'init', '--quiet');
  writeFileSync(join(at.root, 'inner/a.js'), FLAWED);
  git(at.root, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
  mkdirSync(join(at.root, 'module'));
  const { changed, reviewed } = await selectedIn(at, '--since', 'main');
  expect(changed).toEqual(['f\udcff.js', 'inner', 'lib/link.js', 'module']);
  expect(reviewed).toEqual(['f\udcff.js']);
  const run = await at.run('run', '--since', 'main');
  // No program takes such a name as an argument, and what is asked about is told.
  expect([run.code, run.stderr]).toEqual([
    4,
    expect.stringMatching(/did not check 1 file whose names/),
  ]);
  rmSync(join(at.root, 'inner'), { recursive: true });
  commit(at);
  write(at, 'lib/other.js', 'export const clean = 1;\n');
  expect((await at.run('run', '--since', 'HEAD')).code).toBe(0);
});

test('a finding has one id in a full run and in one of what changed, and what is not asked is not said to be clean (B21)', async () => {
  const at = await place({ 'lib/p.js': FLAWED, 'lib/q.js': FLAWED });
  git(at.root, 'checkout', '--quiet', '-b', 'topic');
  write(
    at,
    'lib/p.js',
    `// Moved down.\n${FLAWED}export const more = (text) => eval(text);\nexport const most = (code) => eval(code);\n`,
  );
  commit(at);
  type Found = {
    readonly findings: readonly {
      readonly id: string;
      readonly place: { readonly path: string };
    }[];
    readonly skipped: readonly { readonly by: string; readonly files: readonly string[] }[];
  };
  const foundBy = async (...args: readonly string[]): Promise<Found> => {
    await at.run('run', ...args);
    return JSON.parse(readFileSync(reportFile(at, 'findings.json'), 'utf8')) as Found;
  };
  const idsIn = ({ findings }: Found, path: string): readonly string[] =>
    findings.flatMap((one) => (one.place.path === path ? [one.id] : []));
  const full = await foundBy();
  const changed = await foundBy('--since', 'main');
  expect(new Set(idsIn(full, 'lib/p.js')).size).toBe(3);
  expect(idsIn(changed, 'lib/p.js')).toEqual(idsIn(full, 'lib/p.js'));
  expect([idsIn(full, 'lib/q.js').length, idsIn(changed, 'lib/q.js')]).toEqual([1, []]);
  const unasked = changed.skipped.filter(({ by }) => by === 'selection');
  expect(unasked.flatMap(({ files }) => files)).toContain('lib/q.js');
});
