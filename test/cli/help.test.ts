import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { PROGRAM } from '../helpers/built-paths.ts';

let place: Workplace;
let commands: readonly string[];
beforeAll(async () => {
  place = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  const { stdout } = await place.run('--help');
  const listed = stdout.slice(stdout.indexOf('Commands:'), stdout.indexOf('Exit codes'));
  commands = [...listed.matchAll(/^ {2}([a-z]+)[ |]/gm)].map(([, name]) => name ?? '');
  expect(commands).toEqual(expect.arrayContaining(['run', 'status', 'explain', 'completion']));
});
afterAll(() => place.close());

test('every command has a one-line description and an example that begins with its name or leads to it', async () => {
  for (const command of commands.filter((name) => name !== 'help')) {
    const { code, stdout } = await place.run('help', command);
    const [usage, , description] = stdout.split('\n');
    expect([command, code]).toEqual([command, 0]);
    expect(usage, command).toMatch(new RegExp(`^Usage: casefile ${command}`));
    expect(description, command).toMatch(/^[a-z].{15,}/);
    const examples = stdout.slice(stdout.indexOf('\nExamples:\n'));
    expect(stdout, command).toContain('\nExamples:\n');
    expect(examples, command).toMatch(new RegExp(`\\n +casefile ${command}\\b`));
  }
});

test('completion offers commands, their flags and the values of those that have choices', async () => {
  const offered = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { code, stdout, stderr } = await place.run('complete', '--', ...words);
    expect([code, stderr]).toEqual([0, '']);
    return stdout
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith(':'))
      .map((line) => line.split('\t')[0] ?? '');
  };
  expect(await offered('')).toEqual(expect.arrayContaining([...commands]));
  expect(await offered('expl')).toEqual(['explain']);
  expect(await offered('gc', '--')).toEqual(
    expect.arrayContaining(['--dry-run', '--keep', '--copies']),
  );
  expect(await offered('machine', '')).toEqual(['audit', 'attempt', 'account']);
  expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
});

test.each(['bash', 'zsh', 'fish'])(
  'the script for %s is all that goes to stdout, and that shell takes it',
  async (shell) => {
    const { code, stdout, stderr } = await place.run('completion', shell);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('casefile complete --');
    const parsed = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
    if (parsed.error === undefined) expect([parsed.status, parsed.stderr]).toEqual([0, '']);
  },
);

/** What bash would offer behind these words; the last one is being typed. */
const typedInBash = async (...words: readonly string[]): Promise<string> => {
  const { stdout: script } = await place.run('completion', 'bash');
  const driver = `
    casefile() { "${process.execPath}" "${PROGRAM}" "$@"; }
    ${script}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    _casefile_complete
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync('bash', ['-c', driver], { encoding: 'utf8', cwd: place.root }).stdout;
};

test('bash gets from the script what may stand next, and file names where nothing may', async () => {
  expect(await typedInBash('casefile', 'expl')).toMatch(/^explain\b/);
  expect(await typedInBash('casefile', 'run', '--fail')).toBe('--fail-on\n');
  // Nothing of ours: with `-o default` bash goes on to its own file names.
  expect(await typedInBash('casefile', 'ingest', 'a')).toBe('\n');
});

test('completing a line in bash never runs what stands in it, nor writes where it points', async () => {
  const made = join(place.folder, 'made');
  await typedInBash('casefile', 'explain', `$(touch ${made})`, '--js');
  await typedInBash('casefile', 'run', '>', made, '--fai');
  await typedInBash('casefile', 'run', `\`touch ${made}\``, '; touch', made, '');
  expect(existsSync(made)).toBe(false);
});

test('another shell is refused with those that there are', async () => {
  const { code, stderr } = await place.run('completion', 'powershell');
  expect([code, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
});
