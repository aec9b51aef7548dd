import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { CONFIG_KEYS, config } from '../../src/domain/config.ts';
import { loadConfiguration } from '../../src/cli/configuration-load.ts';
import { parseSettingsText } from '../../src/cli/configuration-text.ts';
import { initRepository } from '../helpers/git-repository.ts';
import { temporaryFolder, writeFiles } from '../helpers/temporary-folder.ts';
import { WRONG_SETTINGS } from '../helpers/wrong-settings.ts';

let root: string;
let home: string;
beforeEach(async () => {
  root = await temporaryFolder();
  home = await temporaryFolder();
  vi.stubEnv('XDG_CONFIG_HOME', home);
});

const user = (content: unknown): Promise<void> =>
  writeFiles(home, {
    'casefile/config.json': typeof content === 'string' ? content : JSON.stringify(content),
  });
const repository = (content: string | Uint8Array): Promise<void> =>
  writeFiles(root, { 'casefile.config.json': content });
const problems = async (sessionFile?: string): Promise<readonly string[]> =>
  (await loadConfiguration(root, sessionFile)).problems;

test('without any file there is nothing to say and nothing wrong', async () => {
  const { files, ...rest } = await loadConfiguration(root, undefined);
  expect(rest).toEqual({
    layers: [],
    repository: undefined,
    session: undefined,
    problems: [],
    notices: [],
    unused: [],
  });
  expect(files.map(({ use }) => use)).toEqual(['absent', 'absent', 'absent']);
});

test.each(CONFIG_KEYS)(
  'every wrong value of %s is a problem with its place, value and rule',
  async (key) => {
    for (const value of WRONG_SETTINGS[key]) {
      await user({ [key]: value });
      const [problem = 'none', ...more] = await problems();
      expect([value, more]).toEqual([value, []]);
      expect(problem).toMatch(
        new RegExp(`config\\.json: ${key}\\S* \\(line 1\\) (is|has|cannot be used)`),
      );
      expect(problem).not.toMatch(/Invalid/);
    }
  },
);

test('all problems of a file are told at once, each once', async () => {
  await user(Object.fromEntries(CONFIG_KEYS.map((key) => [key, WRONG_SETTINGS[key][0]])));
  const told = await problems();
  expect(told).toHaveLength(CONFIG_KEYS.length);
});

describe('a file that cannot be settings is said to be so, and never taken for none', () => {
  test.each<[string, string | Uint8Array, RegExp]>([
    ['empty', '', /it is empty; write \{\}/],
    ['not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), /it is not UTF-8/],
    ['too large', ' '.repeat(1_000_001), /has 1000001 bytes; settings have less than 1 MB/],
    ['not JSON', '{ "include": [ }', /line 1: value expected/],
    ['an array', '[]', /it is an empty list: it must be an object/],
    ['null', 'null', /it is null: it must be an object/],
    [
      'a key that stands twice',
      '{"failOn":"low",\n"failOn":"none"}',
      /line 2: the key "failOn" stands twice/,
    ],
    ['nested without end', '['.repeat(100_000), /nested deeper than settings are/],
    ['a prototype', '{"__proto__":{"include":["x"]}}', /__proto__ \(line 1\) is no setting/],
  ])('%s', async (_what, content, message) => {
    await repository(content);
    expect(await problems()).toEqual([expect.stringMatching(message)]);
  });

  test('a folder, a link and a link to nothing', async () => {
    const file = join(root, 'casefile.config.json');
    await mkdir(file);
    expect(await problems()).toEqual(['casefile.config.json: it is a folder']);
    await rm(file, { recursive: true });
    await symlink('/etc/hostname', file);
    expect(await problems()).toEqual([expect.stringMatching(/it is a link, and links are not/)]);
    await mkdir(join(home, 'casefile'));
    await symlink('/nowhere', join(home, 'casefile', 'config.json'));
    expect(await problems()).toContainEqual(
      expect.stringMatching(/config\.json: it is a link to nothing/),
    );
  });
});

test('a byte-order mark, comments, trailing commas and a link of the user’s own are no harm', async () => {
  await repository('\uFEFF// why\n{ "include": ["src/",], /* and */ "failOn": "low", }\n');
  await writeFiles(home, { 'dotfiles/mine.json': '{ "parallel": 2 }' });
  await mkdir(join(home, 'casefile'));
  await symlink('../dotfiles/mine.json', join(home, 'casefile', 'config.json'));
  const loaded = await loadConfiguration(root, undefined);
  expect(loaded.problems).toEqual([]);
  expect(loaded.repository).toEqual({ include: ['src/'], failOn: 'low' });
  expect(loaded.layers).toMatchObject([{ source: 'user', values: { parallel: 2 } }]);
});

describe('package.json', () => {
  test('holds settings under one key, and problems of it are placed', async () => {
    await writeFiles(root, {
      'package.json': '{\n "name": "x",\n "casefile": {\n  "failOn": 3 }\n}',
    });
    expect(await problems()).toEqual([
      expect.stringMatching(
        /^package\.json \("casefile"\): failOn \(line 4\) is 3: it must be one of/,
      ),
    ]);
    await writeFiles(root, {
      'package.json': '{ "name": "casefile", "casefile": { "failOn": "low" } }',
    });
    expect((await loadConfiguration(root, undefined)).repository).toEqual({ failOn: 'low' });
  });

  test('beside a file of its own is an error', async () => {
    await writeFiles(root, { 'package.json': '{ "casefile": {} }', 'casefile.config.json': '{}' });
    expect(await problems()).toEqual([expect.stringMatching(/package\.json: keep one/)]);
  });

  test('that is broken stops nothing, and is told when it seems to hold settings', async () => {
    await writeFiles(root, { 'package.json': '{ "casefile": ' });
    const loaded = await loadConfiguration(root, undefined);
    expect(loaded.problems).toEqual([]);
    expect(loaded.notices).toEqual([expect.stringMatching(/package\.json is not whole JSON/)]);
    await writeFiles(root, { 'package.json': '{ "name": ' });
    expect((await loadConfiguration(root, undefined)).notices).toEqual([]);
  });
});

test('a pattern of the repository that could take for ever to match is refused', async () => {
  for (const pattern of ['**/a/**/b/**', 'a*a*a*a*b', 'x'.repeat(201)]) {
    await repository(JSON.stringify({ exclude: [pattern] }));
    expect(await problems()).toEqual([expect.stringMatching(/exclude\[0\] .*two \*\* in all/)]);
  }
  await repository(JSON.stringify({ exclude: ['**/fixtures/**', '*.test.*', '/docs/*'] }));
  expect(await problems()).toEqual([]);
});

describe('session-config.json', () => {
  const session = {
    provider: 'subprocess-template',
    subprocess_template: { command_template: ['x', '{promptPath}'] },
  };

  test('in the user’s folder is read, and passed over beside config.json', async () => {
    await writeFiles(home, { 'casefile/session-config.json': JSON.stringify(session) });
    const alone = await loadConfiguration(root, undefined);
    expect(alone.layers).toMatchObject([
      {
        source: 'session-config',
        values: { provider: 'subprocess-template', command: '["x","{prompt}"]' },
      },
    ]);
    await user({ parallel: 2 });
    const both = await loadConfiguration(root, undefined);
    expect(both.layers.map(({ source }) => source)).toEqual(['user']);
    expect(both.files).toContainEqual(
      expect.objectContaining({ source: 'session-config', use: 'passed-over' }),
    );
  });

  test('that is named comes before the user’s config.json', async () => {
    await writeFiles(home, { 'elsewhere.json': '{"parallel_workers":3}' });
    await user({ parallel: 2, wait: true });
    const { layers } = await loadConfiguration(root, join(home, 'elsewhere.json'));
    expect(layers).toMatchObject([{ values: { parallel: 3 } }, { values: { parallel: 2 } }]);
  });

  test('that is named and not there, or came with the repository, is an error', async () => {
    expect(await problems(join(home, 'none.json'))).toEqual([
      expect.stringMatching(/it does not exist/),
    ]);
    await initRepository(root, { 'session-config.json': JSON.stringify(session) });
    expect(await problems(join(root, 'session-config.json'))).toEqual([
      expect.stringMatching(/git tracks it in the audited tree/),
    ]);
    // Nor by another way to the same file.
    await symlink(root, join(home, 'elsewhere'));
    expect(await problems(join(home, 'elsewhere', 'session-config.json'))).toEqual([
      expect.stringMatching(/git tracks it in the audited tree/),
    ]);
  });

  test('with a fraction where a count belongs is an error, and never rounded (R46)', async () => {
    for (const value of [0.5, 2.9, 0, '3']) {
      await writeFiles(home, {
        'casefile/session-config.json': JSON.stringify({ parallel_workers: value }),
      });
      expect(await problems()).toEqual([
        expect.stringMatching(/parallel_workers is .*whole number/),
      ]);
    }
  });
});

test('whatever stands in a file, reading it gives settings or problems, and never an error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.uint8Array()), async (content) => {
      await writeFiles(home, { 'casefile/config.json': content });
      await repository(content);
      const loaded = await loadConfiguration(root, undefined);
      for (const problem of loaded.problems) expect(problem).toMatch(/^\S.*: \S/);
    }),
    { numRuns: 60 },
  );
});

test('what the schema takes is what was written: reading changes no value', () => {
  fc.assert(
    fc.property(
      fc.record({
        parallel: fc.nat({ max: 9 }),
        wait: fc.boolean(),
        timeout: fc.constantFrom('1m', 5),
      }),
      (value) => {
        const read = parseSettingsText(JSON.stringify(value));
        expect(read).toMatchObject({ kind: 'read', value });
        const parsed = config.safeParse(value);
        if (parsed.success) expect(parsed.data).toEqual(value);
      },
    ),
  );
});
