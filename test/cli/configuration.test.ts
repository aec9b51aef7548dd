import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CONFIG_KEYS, type ConfigKey } from '../../src/domain/config.ts';
import { fingerprintOf, auditsOf, eventsOf, logBytes } from '../helpers/audit-on-disk.ts';
import { WRONG_SETTINGS as WRONG } from '../helpers/wrong-settings.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

let place: Workplace;
let userFile: string;
const write = (path: string, content: unknown): void =>
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
const user = (content: unknown): void => write(userFile, content);
const repository = (content: unknown): void =>
  write(join(place.root, 'casefile.config.json'), content);

beforeAll(async () => {
  place = await createWorkplace({
    'a.js': 'export const a = (text) => eval(text);\n',
    'src/b.js': 'export const b = (text) => eval(text);\n',
    'src/c.js': 'export const c = 1;\n',
  });
  const folder = join(place.folder, 'config', 'casefile');
  mkdirSync(folder, { recursive: true });
  userFile = join(folder, 'config.json');
});
afterEach(() => {
  rmSync(userFile, { force: true });
  rmSync(join(place.root, 'casefile.config.json'), { force: true });
  rmSync(join(place.root, '.casefile'), { recursive: true, force: true });
});
afterAll(() => place.close());

const REPOSITORY_KEYS: readonly ConfigKey[] = [
  'lenses',
  'include',
  'exclude',
  'failOn',
  'requireComplete',
];

/** Runs all, two at a time: most of the time is the start of the program. */
const twoAtATime = async (jobs: readonly (() => Promise<void>)[]): Promise<void> => {
  const waiting = [...jobs];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
  };
  await Promise.all([work(), work()]);
};

test('a wrong value of any key ends with exit 2, names file, line, value and rule, and leaves nothing behind (R46, R48)', async () => {
  const before = fingerprintOf(place.root);
  const lines = CONFIG_KEYS.map(
    (key) => `  ${JSON.stringify({ [key]: WRONG[key][0] }).slice(1, -1)}`,
  );
  user(`{\n${lines.join(',\n')}\n}\n`);
  const { code, stdout, stderr } = await place.run('run', '--json');
  expect([code, stdout]).toEqual([2, '']);
  for (const [index, key] of CONFIG_KEYS.entries())
    expect(stderr).toMatch(
      new RegExp(`config\\.json: ${key}\\S* \\(line ${index + 2}\\) is .+: it must`),
    );
  expect(stderr).not.toMatch(/\n +at |internal error|Invalid input/);
  expect(fingerprintOf(place.root)).toBe(before);
  user({ parallel: 0.5 });
  expect(await place.run('plan')).toMatchObject({ code: 2, stdout: '' });
  expect(fingerprintOf(place.root)).toBe(before);
});

test('a count that is a fraction is refused at every flag (R46)', async () => {
  const flags = ['--parallel', '--max-attempts', '--max-runs', '--limit'];
  await twoAtATime(
    [...flags, '--host-max-active-subagents'].map((flag) => async () => {
      const { code, stderr } = await place.run('run', flag, '0.5');
      expect([flag, code, stderr]).toEqual([flag, 2, expect.stringMatching(/'0\.5' .*1 or more/)]);
    }),
  );
  expect(existsSync(join(place.root, '.casefile'))).toBe(false);
});

test('a repository that chooses what is the user’s to choose is refused, key by key, and told where it belongs', async () => {
  const allowed = new Set<string>(REPOSITORY_KEYS);
  const forbidden = CONFIG_KEYS.filter((key) => !allowed.has(key));
  repository(Object.fromEntries(forbidden.map((key) => [key, 1])));
  const { code, stdout, stderr } = await place.run('run');
  expect([code, stdout]).toEqual([2, '']);
  for (const key of forbidden)
    expect(stderr).toContain(
      `casefile.config.json: ${key} (line 1) is not for the repository to choose: say it in ${userFile}, or with --`,
    );
  expect(existsSync(join(place.root, '.casefile'))).toBe(false);
});

test('an unknown key is refused with the nearest one, and all problems of all files come at once', async () => {
  user({ parralel: 2, max_attempts: 3, 'fail-on': 'high', colour: 'red', host: { maxActive: 1 } });
  repository('{ "includes": ["src/"], "lenses": 7, }');
  const { code, stderr } = await place.run('run');
  expect(code).toBe(2);
  expect(stderr).toMatch(/parralel .*did you mean parallel\?/);
  expect(stderr).toMatch(/max_attempts .*did you mean maxAttempts\?/);
  expect(stderr).toMatch(/fail-on .*did you mean failOn\?/);
  expect(stderr).toMatch(/colour \(line 1\) is no setting\n/);
  expect(stderr).toMatch(/host\.maxActive \(line 1\) is no setting/);
  expect(stderr).toMatch(/includes .*did you mean include\?/);
  expect(stderr).toMatch(/lenses \(line 1\) is 7: it must be an array/);
});

describe('precedence', () => {
  test('flags, user, repository and defaults meet, and the log says where each setting came from', async () => {
    user({ parallel: 3, timeout: '7m', maxAttempts: 5, failOn: 'none', exclude: ['src/c.js'] });
    repository('// comments are fine\n{ "include": ["src/"], "failOn": "critical" }\n');
    const { code, stderr } = await place.run('run', '--max-attempts', '3');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('"critical" is stricter than "none"'),
    ]);
    const [opened] = eventsOf(place, 'AuditOpened');
    expect(opened).toMatchObject({
      settings: {
        accounts: [{ ceiling: 3 }],
        include: [],
        exclude: ['src/c.js'],
        failOn: 'critical',
        limits: { attemptsMax: 3, wallMs: 420_000, idleMs: 600_000 },
        narrowing: { include: ['src/'], exclude: [] },
        sources: {
          maxAttempts: ['flag'],
          timeout: ['user'],
          idleTimeout: ['default'],
          include: ['default', 'repository'],
          exclude: ['user'],
          failOn: ['user', 'repository'],
        },
      },
    });
    // L6: where the settings came from, and not by which path of this machine.
    expect(JSON.stringify(opened)).not.toContain(place.folder);
    const tasks = eventsOf(place, 'TasksPlanned').flatMap(
      ({ tasks }) => tasks as { paths: string[] }[],
    );
    expect(new Set(tasks.flatMap(({ paths }) => paths))).toEqual(new Set(['src/b.js']));
  });

  test('a lens that only the repository leaves and nobody asks for is an error that says so', async () => {
    repository({ lenses: ['tests'] });
    const { code, stderr } = await place.run('run', '--lenses', 'security');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /No lens is left: asked for are security, and the repository's configuration leaves only tests/,
      ),
    ]);
    expect(existsSync(join(place.root, '.casefile'))).toBe(false);
  });

  test('paths that the user and the repository do not both name are an error, not a clean audit', async () => {
    repository({ include: ['src/'] });
    const { code, stderr } = await place.run('run', '--include', 'a.js');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/a path must match both/)]);
    expect(existsSync(join(place.root, '.casefile'))).toBe(false);
  });

  test('--no-require-complete and --no-wait say no to the user’s own file', async () => {
    user({ requireComplete: true, wait: true });
    const { stdout } = await place.run('doctor', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      settings: expect.arrayContaining([
        expect.objectContaining({ key: 'requireComplete', value: true, from: ['user'] }),
      ]),
    });
    await place.run('run', '--no-require-complete', '--no-wait');
    const [opened] = eventsOf(place, 'AuditOpened');
    expect(opened).toMatchObject({
      settings: { sources: { requireComplete: ['flag'], wait: ['flag'] } },
    });
  });
});

describe('an audit that is there', () => {
  test('goes on under the same configuration, and another begins when the repository’s part changes', async () => {
    repository({ exclude: ['a.js'] });
    await place.run('run', '--max-runs', '1', ...place.commandOf('answer-clean'));
    const [first] = auditsOf(place);
    await place.run('run', ...place.commandOf('answer-clean'));
    expect(auditsOf(place)).toEqual([first]);
    repository({ exclude: ['a.js', 'src/c.js'] });
    const { stderr } = await place.run('plan', ...place.commandOf('answer-clean'));
    expect(stderr).toMatch(/A new audit begins/);
    expect(auditsOf(place)).toHaveLength(2);
  });

  test('is not given up for a standing word of a file that a flag had overruled', async () => {
    user({ lenses: ['security'] });
    const flags = ['--lenses', 'correctness', ...place.commandOf('answer-clean')];
    await place.run('run', '--max-runs', '1', '--parallel', '1', ...flags);
    const { stderr } = await place.run('run', ...place.commandOf('answer-clean'));
    expect(stderr).toMatch(/Going on with audit|Nothing has changed since/);
    expect(auditsOf(place)).toHaveLength(1);
  });

  test('that is named is not turned into another: a flag that asks something else is refused', async () => {
    user({ lenses: ['security'] });
    await place.run('run');
    const [audit = ''] = auditsOf(place);
    const log = logBytes(place);
    // The word of a file that has changed since does not speak against the name.
    user({ lenses: ['correctness'] });
    for (const flags of [
      ['--provider', 'handoff'],
      ['--lenses', 'tests'],
      ['--include', 'a.js'],
      ['--exclude', 'a.js'],
    ]) {
      const { code, stderr } = await place.run('run', '--audit', audit, ...flags);
      expect([flags, code, stderr]).toEqual([
        flags,
        2,
        expect.stringMatching(
          /asks something else \(provider builtin; lenses security\)\.\n {2}Leave/,
        ),
      ]);
    }
    expect(await place.run('next', '--audit', audit)).toMatchObject({ code: 2, stdout: '' });
    expect((await place.run('run', '--audit', audit)).code).toBe(0);
    expect(logBytes(place).equals(log)).toBe(true);
  });

  test('records who changed its limits', async () => {
    await place.run('plan', ...place.commandOf('answer-clean'));
    user({ timeout: '7m' });
    await place.run('run', '--parallel', '4', ...place.commandOf('answer-clean'));
    expect(eventsOf(place, 'LimitsChanged')).toEqual([
      expect.objectContaining({
        reason:
          "asked for: provider by a flag, parallel by a flag, timeout by the user's configuration",
      }),
    ]);
  });
});

describe('doctor', () => {
  test('tells each setting with its file, makes nothing, and is ready in a plain repository', async () => {
    user({ parallel: 3 });
    const before = fingerprintOf(place.folder);
    const { code, stdout, stderr } = await place.run('doctor');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Ready: casefile run would audit .* with provider builtin\.$/m);
    expect(stdout).toContain(`parallel         3  (user; ${userFile})`);
    expect(stdout).toMatch(/no +claude-code +claude is (not on PATH|.*no adapter)/);
    expect(fingerprintOf(place.folder)).toBe(before);
  });

  test('tells in words what the repository narrows', async () => {
    user({ include: ['src/'], host: { maxActiveSubagents: 2 } });
    repository({ include: ['src/b.js', 'a.js'] });
    const { stdout } = await place.run('doctor');
    expect(stdout).toMatch(
      /^ {2}include +user: src\/; repository: src\/b\.js, a\.js {2}\(user, then/m,
    );
    expect(stdout).toMatch(/^ {2}host +maxActiveSubagents: 2 {2}\(user;/m);
  });

  test('ends with exit 2 and all problems when a run is not possible', async () => {
    user({ provider: 'command', command: ['no-such-program-anywhere', '{prompt}'], timeout: 0 });
    const broken = await place.run('doctor', '--json');
    expect(broken.code).toBe(2);
    expect(JSON.parse(broken.stdout)).toMatchObject({
      ready: false,
      problems: [
        expect.stringMatching(/config\.json: timeout \(line 1\) is 0: it must be a duration/),
      ],
    });
    user({ provider: 'command', command: ['no-such-program-anywhere', '{prompt}'] });
    const missing = await place.run('doctor');
    expect(missing.code).toBe(2);
    expect(missing.stdout).toMatch(
      /provider command: its program "no-such-program-anywhere" is not/,
    );
  });

  test('tells of a session-config.json in the tree, which nobody reads', async () => {
    const file = join(place.root, 'session-config.json');
    write(file, {
      provider: 'subprocess-template',
      subprocess_template: { command_template: ['sh'] },
    });
    const { stdout, code } = await place.run('doctor');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/passed-over +session-config\.json: it lies in the audited tree/),
    ]);
    expect(stdout).toMatch(/provider +builtin {2}\(default\)/);
    rmSync(file);
  });
});

test('the predecessor’s session-config.json is the user’s word when the user names it', async () => {
  const file = join(place.folder, 'session-config.json');
  const template = ['reviewer', '{promptPath}', '{resultPath}'];
  write(file, {
    provider: 'subprocess-template',
    subprocess_template: { command_template: template },
    parallel_workers: 3,
    timeout_ms: 60_000,
    synthesis: { narrative: true },
  });
  const { stdout } = await place.run('doctor', '--json', '--session-config', file);
  const view = JSON.parse(stdout) as {
    settings: { key: string; value: unknown; from: string[] }[];
    notices: string[];
  };
  const said = Object.fromEntries(
    view.settings
      .filter(({ from }) => from[0] === 'session-config')
      .map(({ key, value }) => [key, value]),
  );
  expect(said).toEqual({
    provider: 'command',
    command: '["reviewer","{prompt}","{answer}"]',
    parallel: 3,
    timeout: '1m',
  });
  expect(view.notices).toEqual([expect.stringMatching(/has a use for synthesis/)]);
});
