import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprintOf } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

let place: Workplace;
let before: string;
beforeAll(async () => {
  place = await createWorkplace({ 'notes.md': '# Notes\n' });
  await mkdir(join(place.folder, 'home', 'empty'));
  before = fingerprintOf(place.folder);
});
afterAll(() => place.close());

const AUDIT = '20261130T101400123Z-1f3c9a';

/** Arguments, and what the message must say of them: what is wrong, and what would be right. */
const BAD: readonly (readonly [readonly string[], RegExp])[] = [
  [['run', '--nope'], /unknown option '--nope'/],
  [['run', '--wat'], /Did you mean --wait\?/],
  [['runn'], /unknown command 'runn'\n\(Did you mean run\?\)/],
  [['run', 'one', 'two'], /too many arguments for 'run'/],
  [['run', 'nowhere'], /nowhere is not a folder\.\n {2}Name the folder/],
  [['run', 'notes.md'], /notes\.md is not a folder\./],
  [['run', '../home/empty'], /holds no files to audit\.\n {2}Name a folder/],
  [['run', '--provider', 'oracle'], /Providers are: auto, builtin, command, handoff, scripted\./],
  [['run', '--provider', 'command'], /needs the program to run\.\n {2}Give it with --command/],
  [['run', '--provider', 'command', '--command', ''], /The worker command is empty/],
  [['run', '--provider', 'command', '--command', '{prompt}'], /holds a placeholder/],
  [['run', '--provider', 'command', '--command', 'node {promt}'], /unknown placeholder \{promt\}/],
  [['run', '--provider', 'command', '--command', "node 'a"], /quote that is not closed/],
  [['run', '--provider', 'command', '--command', '["node"'], /begins like a JSON array/],
  [['run', '--provider', 'scripted'], /needs a transcript\.\n {2}Give it with --transcript/],
  [['run', '--provider', 'scripted', '--transcript', 'none'], /transcript none cannot be read/],
  [['run', '--provider', 'scripted', '--transcript', 'notes.md'], /transcript/],
  [['run', '--parallel', '0'], /'--parallel <n>' argument '0' .*1 or more/],
  [['run', '--parallel', 'many'], /1 or more/],
  [['run', '--max-attempts', '1.5'], /'--max-attempts <n>' argument '1\.5' .*1 or more/],
  [['run', '--max-runs', '-1'], /'--max-runs <n>' argument '-1' .*1 or more/],
  [['run', '--lenses', 'smell'], /Lenses are: security, correctness/],
  [['run', '--lenses', ''], /Lenses are: /],
  [['run', '--include', ''], /A pattern cannot be empty/],
  [['run', '--exclude', ' '], /A pattern cannot be empty/],
  [['run', '--timeout', '0'], /must be a duration/],
  [['run', '--timeout', '10 minutes'], /must be a duration/],
  [['run', '--idle-timeout', '8d'], /must be a duration/],
  [['run', '--grace', 'soon'], /must be a duration/],
  [['run', '--fail-on', 'severe'], /one of: critical, high, medium, low, info, none/],
  [['run', '--ui', 'web'], /Allowed choices are tty, plain/],
  [['run', '--host-can-dispatch-subagents', 'yes'], /It must be true or false/],
  [['run', '--host-max-active-subagents', '0'], /1 or more/],
  [['run', '--limit', 'few'], /1 or more/],
  [['run', '--session-config', 'none.json'], /none\.json \(--session-config\): it does not exist/],
  [['run', '--session-config', 'notes.md'], /notes\.md \(--session-config\): git tracks it/],
  [['run', '--agent-batch-size', '6'], /unknown option '--agent-batch-size'/],
  [['doctor', 'nowhere'], /nowhere is not a folder/],
  [['run', '--state-dir'], /argument missing/],
  [['status'], /There is no audit in .*\.casefile\.\n {2}Start one with: casefile run/],
  [['log', '--type', 'Anything'], /no event type "Anything"\.\n {2}Types are: AuditOpened/],
  [['log', '--from', 'x'], /must be an event number/],
  [['replay', '--to', '-1'], /must be an event number/],
  [['replay', '--at', 'noon'], /must be an instant with a zone/],
  [['replay', '--at', '2026-13-01T00:00:00Z'], /must be an instant/],
  [['replay', '--to', '1', '--at', '2026-11-30T10:14:00Z'], /--to and --at exclude each other/],
  [['status', '--audit', 'latest'], /An audit id looks like/],
  ...['status', 'log', 'replay', 'verify', 'repair'].map(
    (command) =>
      [[command, '--audit', AUDIT], new RegExp(`There is no audit ${AUDIT} in`)] as const,
  ),
  [['machine', 'coffee'], /Allowed choices are audit, attempt, account/],
  [['machine', '--format', 'png'], /Allowed choices are mermaid, dot, json/],
  [['check', 'answer.json'], /required option '--packet <file>'/],
  [['check', 'answer.json', '--packet', 'none'], /none cannot be read/],
  [['check', 'answer.json', '--packet', 'notes.md'], /notes\.md is not JSON/],
];

test('bad input ends with exit 2 and a sentence that says what is wrong and what would be right', async () => {
  // Two at a time: most of the time is the start of the program.
  const waiting = [...BAD];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [args, message] = next;
      const { code, stdout, stderr } = await place.run(...args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr, args.join(' ')).toMatch(message);
      expect(stderr, args.join(' ')).not.toMatch(/\n +at |internal error/);
    }
  };
  await Promise.all([work(), work()]);
});

test('after all this nothing was created anywhere', () => {
  expect(fingerprintOf(place.folder)).toBe(before);
  expect(existsSync(join(place.root, '.casefile'))).toBe(false);
});

test('without any argument the help comes on stderr, and exit 2; asked for, it is the answer', async () => {
  const [without, asked] = await Promise.all([place.run(), place.run('--help')]);
  expect([without.code, without.stdout]).toEqual([2, '']);
  expect([asked.code, asked.stderr]).toEqual([0, '']);
  expect(asked.stdout).toMatch(/Exit codes/);
});
