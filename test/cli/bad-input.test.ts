import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeProgramme } from '../../src/cli/program.ts';
import { auditsOf, fingerprintOf } from '../helpers/audit-on-disk.ts';
import { expectRows, type BadInputRow } from '../helpers/bad-input-row.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

/** A repository that nobody has audited. */
let fresh: Workplace;
/** One with a complete audit. */
let audited: Workplace;
let before: string;
beforeAll(async () => {
  [fresh, audited] = await Promise.all([createWorkplace(FILES), createWorkplace(FILES)]);
  for (const { folder } of [fresh, audited]) {
    mkdirSync(join(folder, 'home', 'empty'));
    mkdirSync(join(folder, 'home', 'answers'));
    writeFileSync(join(folder, 'home', 'answers', 'answer.json'), '[]');
    execFileSync('mkfifo', [join(folder, 'home', 'pipe')]);
  }
  expect((await audited.run('run')).code).toBe(0);
  before = fingerprintOf(fresh.folder);
});
afterAll(() => Promise.all([fresh.close(), audited.close()]));

const FILES = { 'notes.md': '# Notes\n' };
const AUDIT = '20261130T101400123Z-1f3c9a';

/** A wrong value of one flag or argument, what is given beside it, and what the message must say. */
type Wrong = {
  readonly value: string;
  readonly says: RegExp;
  readonly beside?: readonly string[];
  /** Where the value can be told to be wrong only with an audit. */
  readonly in?: 'audited';
};

const wrong = (value: string, says: RegExp, ...beside: readonly string[]): Wrong => ({
  value,
  says,
  beside,
});
const inAudit = (value: string, says: RegExp): Wrong => ({ value, says, in: 'audited' });

const COUNT = /argument '.+' .*1 or more/;
const NO_FOLDER = /is not a folder\.\n {2}Name the folder/;
const YES_NO = [wrong('yes', /It must be true or false/)];
const COUNTS = ['0', '1.5', '-1', '', '9'.repeat(20)].map((value) =>
  wrong(value, value === '' ? /1 or more/ : COUNT),
);
const DURATIONS = ['10 minutes', '8d', '-1s', ''].map((value) =>
  wrong(value, /must be a duration/),
);
const NUMBERS = ['x', '-1', '1.5', ''].map((value) => wrong(value, /must be an event number/));
const COMMAND = ['--provider', 'command', '--command'] as const;
const SCRIPT = ['--provider', 'scripted'] as const;

/**
 * By flag, or by command and argument, values that are wrong wherever it is taken. A key of a command
 * alone ("log --from") comes before one of all.
 */
const WRONG: Readonly<Record<string, readonly Wrong[]>> = {
  '--provider': [
    wrong('oracle', /Providers are: auto, builtin, command, handoff, scripted\./),
    wrong('', /Providers are: /),
  ],
  '--command': [
    wrong('', /The worker command is empty/, '--provider', 'command'),
    wrong('{prompt}', /holds a placeholder/, '--provider', 'command'),
    wrong('node {promt}', /unknown placeholder \{promt\}/, '--provider', 'command'),
    wrong("node 'a", /quote that is not closed/, '--provider', 'command'),
    wrong('["node"', /begins like a JSON array/, '--provider', 'command'),
  ],
  '--pass-env': [wrong('NOT_SET_HERE', /NOT_SET_HERE, which is not set/, ...COMMAND, 'node')],
  '--transcript': [
    wrong('none', /transcript none cannot be read/, ...SCRIPT),
    wrong('notes.md', /transcript notes\.md/, ...SCRIPT),
    wrong('.', /transcript \. cannot be read: .*not a regular file/, ...SCRIPT),
    wrong('../home/pipe', /pipe cannot be read: .*not a regular file/, ...SCRIPT),
  ],
  '--parallel': COUNTS,
  '--max-attempts': COUNTS,
  '--max-runs': COUNTS,
  '--limit': COUNTS,
  '--host-max-active-subagents': COUNTS,
  '--host-can-dispatch-subagents': YES_NO,
  '--host-can-restrict-subagent-tools': YES_NO,
  '--host-can-select-subagent-model': YES_NO,
  '--host-name': [wrong('', /A host's name/), wrong('\u001B[2J', /A host's name/)],
  '--lenses': [
    wrong('smell', /there is no lens "smell": lenses are security, correctness/),
    wrong('Bad Smell', /Lenses are: security, correctness/),
    wrong('./none.md', /\.\/none\.md: it does not exist/),
    wrong('./security.md', /security is a lens of casefile/),
    wrong('./Payments.md', /A lens is named after its file/),
    wrong('money,./money.md', /The lens money stands there twice/),
    wrong('../home/pipe/', /A lens is named after its file|it is no file/),
    wrong('', /Lenses are: /),
    wrong('security,,', /Lenses are: /),
  ],
  '--depth': [wrong('full', /quick, standard, deep/), wrong('', /quick, standard, deep/)],
  '--deepening': [wrong('2', /from 0 to 1/), wrong('all', /from 0 to 1/), wrong('101%', /25%/)],
  '--consent': [
    wrong('everything', /Consents are: analyzers, or analyzers:.*; commands, or commands:/),
    wrong('commands:deploy', /Consents are: /),
    wrong('', /Consents are: /),
  ],
  '--component': [
    wrong('', /not empty/),
    wrong('web', /There is no component "web" here\.\n {2}(?:Components are|No manifest)/),
  ],
  '--include': [wrong('', /A pattern cannot be empty/), wrong('none/', /No file is left/)],
  '--exclude': [wrong(' ', /A pattern cannot be empty/), wrong('*', /No file is left/)],
  '--since': [
    wrong('', /The commit of --since is empty/),
    wrong('nowhere', /git knows no commit "nowhere" \(--since\).*\n {2}git branch --all/),
    wrong('-x', /"-x" \(--since\) cannot be the name of a commit\.\n {2}Name a commit/),
    wrong('HEAD..HEAD', /git knows no commit "HEAD\.\.HEAD"/),
    wrong('HEAD:notes.md', /is a blob, not a commit/),
    wrong('HEAD^{tree}', /is a tree, not a commit/),
    wrong('HEAD', /--since and --staged exclude each other/, '--staged'),
  ],
  '--diff': [
    wrong('', /The commit of --diff is empty/),
    wrong('nowhere', /git knows no commit "nowhere" \(--diff\)/),
    wrong('HEAD..nowhere', /git knows no commit "nowhere" \(--diff\)/),
    wrong('--output=x..HEAD', /cannot be the name of a commit/),
    wrong('HEAD..HEAD..HEAD', /git knows no commit "HEAD\.\.HEAD"/),
    wrong('HEAD', /--since and --diff exclude each other/, '--since', 'HEAD'),
  ],
  '--timeout': [wrong('0', /must be a duration/), ...DURATIONS],
  '--idle-timeout': [wrong('0', /must be a duration/), ...DURATIONS],
  '--grace': DURATIONS,
  '--fail-on': [wrong('severe', /one of: critical, high, medium, low, info, none/)],
  '--ui': [wrong('web', /Allowed choices are tty, plain/)],
  '--session-config': [
    wrong('none.json', /none\.json \(--session-config\): it does not exist/),
    wrong('notes.md', /notes\.md \(--session-config\): git tracks it/),
    wrong('../home/empty', /empty: it is a folder/),
    wrong('../home/pipe', /pipe: it is no file/),
  ],
  '--results': [
    wrong('none.json', /none\.json cannot be read/),
    wrong('../home/answers', /is a folder\.\n {2}For a folder: --batch-results/),
    wrong('../home/pipe', /pipe cannot be read: .*not a regular file/),
    wrong('notes.md', /exclude each other/, '--batch-results', '../home/answers'),
  ],
  '--batch-results': [
    wrong('none', /none is no folder/),
    wrong('notes.md', /is no folder\.\n {2}For one file: --results/),
    wrong('../home/empty', /holds no answers/),
  ],
  '--updates': [
    wrong('none.json', /none\.json cannot be read/),
    wrong('notes.md', /notes\.md: /),
    wrong('../home/pipe', /not a regular file/),
  ],
  '--external-analyzer-results': [
    wrong('none.json', /none\.json cannot be read/),
    wrong('notes.md', /notes\.md: /),
    wrong('.', /cannot be read/),
  ],
  '--state-dir': [
    wrong('.', /contains the audited root/),
    wrong('notes.md', /cannot be made: .*notes\.md is no folder/),
    wrong('/', /contains the audited root/),
    wrong('/dev/null/state', /cannot be made: .*null is no folder/),
  ],
  '--audit': [
    wrong('latest', /An audit id looks like/),
    wrong('../..', /An audit id looks like/),
    wrong('', /An audit id looks like/),
    wrong(AUDIT, new RegExp(`There is no audit ${AUDIT} in`)),
  ],
  '--type': [wrong('Anything', /no event type "Anything"\.\n {2}Types are: AuditOpened/)],
  '--from': NUMBERS,
  '--to': [
    ...NUMBERS,
    wrong('1', /unknown option|exclude each other/, '--at', '2026-11-30T10:14:00Z'),
  ],
  '--at': ['noon', '2026-13-01T00:00:00Z', '2026-11-30T10:14:00', ''].map((value) =>
    wrong(value, /must be an instant with a zone/),
  ),
  '--format': [wrong('png', /Allowed choices are mermaid, dot, json/)],
  '--keep': ['-1', 'all', '1.5', ''].map((value) => wrong(value, /whole number, 0 or more/)),
  '--root': [wrong('nowhere', NO_FOLDER), wrong('', /name of the folder to audit is empty/)],
  '--packet': [
    wrong('none', /none cannot be read/),
    wrong('notes.md', /notes\.md is not JSON/),
    wrong('.', /not a regular file/),
    wrong('../home/pipe', /pipe cannot be read: .*not a regular file/),
    wrong('../home/answers/answer.json', /is no packet file of casefile/),
  ],
  'plan --packet': [
    ...['none', 'p-xyz', '\u001B[2J'].map((value) => wrong(value, /A packet id looks like p-/)),
    inAudit('p-0000000000000000', /The plan has no packet "p-0000000000000000"/),
  ],
  '--tree': [wrong('nowhere', /nowhere is not a folder/), wrong('notes.md', /is not a folder/)],

  root: [
    wrong('nowhere', NO_FOLDER),
    wrong('notes.md', NO_FOLDER),
    wrong('', /name of the folder to audit is empty/),
    wrong('../home/pipe', NO_FOLDER),
    wrong(`a${'/a'.repeat(3000)}`, NO_FOLDER),
  ],
  'run root': [wrong('../home/empty', /holds no files to audit\.\n {2}Name a folder/)],
  'explain id': [
    inAudit('nonsense', /nothing that is named "nonsense"/),
    inAudit('', /nothing that is named ""/),
    inAudit('\u001B[2J', /nothing that is named "\\u\{1b\}\[2J"/),
  ],
  'machine name': [wrong('coffee', /Allowed choices are audit, attempt, account/)],
  'completion shell': [wrong('cmd', /Allowed choices are bash, zsh, fish/)],
  'check answer': [wrong('none', /cannot be read/), wrong('../home/pipe', /cannot be read/)],
  'ingest files': [
    wrong('none.json', /none\.json cannot be read/),
    wrong('../home/empty', /holds no answers/),
    wrong('../home/pipe', /not a regular file/),
  ],
  'import files': [wrong('none.json', /There is no audit in/)],
  'answer question': [inAudit('q-1', /The audit is complete/)],
  'answer value': [inAudit('', /The audit is complete/)],
  // Whatever has been typed, the shell gets an answer: the fuzz has it.
  'complete words': [],
};

/** Words that a command cannot do without, so that a call is wrong in one place only. */
const FILLING: Readonly<Record<string, readonly string[]>> = {
  answer: ['q-1', 'yes'],
  check: ['notes.md'],
  import: ['notes.md'],
  completion: ['bash'],
};

const COMMANDS = describeProgramme(() => undefined).commands;

/** Every value for the first command that takes a flag; one for each of the others. */
const rowsOfAll = (): readonly (BadInputRow & Pick<Wrong, 'in'>)[] => {
  const seen = new Set<readonly Wrong[]>();
  return COMMANDS.flatMap((command) =>
    placesOf(command).flatMap(({ name, words }) => {
      const all = wrongFor(command, name) ?? [];
      const values = seen.has(all) ? all.slice(0, 1) : all;
      seen.add(all);
      return values.map(({ value, says, beside = [], ...where }) => ({
        what: `${command.name()} ${name} ${JSON.stringify(value.slice(0, 40))}`,
        args: [command.name(), ...words(value), ...beside],
        code: 2,
        says,
        ...where,
      }));
    }),
  );
};

type ValuePlace = { readonly name: string; readonly words: (value: string) => readonly string[] };

/** Where a command takes a value: its flags and its arguments. */
const placesOf = (command: Command): readonly ValuePlace[] => {
  const filling = FILLING[command.name()] ?? [];
  return [
    ...command.options.filter(takesValue).map((option) => {
      const name = option.long ?? option.flags;
      const needed = command.options.filter(({ mandatory, long }) => mandatory && long !== name);
      const others = needed.flatMap(({ long }) => [long ?? '', 'notes.md']);
      return { name, words: (value: string) => [...filling, ...others, `${name}=${value}`] };
    }),
    ...command.registeredArguments.map((argument: Argument, index) => ({
      name: argument.name(),
      words: (value: string) => [
        ...filling.slice(0, index),
        ...(index > filling.length ? ['planning'] : []),
        value,
        ...filling.slice(index + 1),
        ...(command.name() === 'check' ? ['--packet', '../home/answers/answer.json'] : []),
      ],
    })),
  ];
};

const takesValue = ({ required, optional }: Option): boolean => required || optional;

const wrongFor = (command: Command, name: string): readonly Wrong[] | undefined =>
  WRONG[`${command.name()} ${name}`] ?? WRONG[name];

test('there is a wrong value for every flag and argument of every command that takes one', () => {
  const untried = COMMANDS.flatMap((command) =>
    placesOf(command)
      .filter(({ name }) => wrongFor(command, name) === undefined)
      .map(({ name }) => `${command.name()} ${name}`),
  );
  expect(untried).toEqual([]);
});

/** What is wrong about a call as a whole. */
const CALLS: readonly (readonly [readonly string[], RegExp])[] = [
  [['run', '--nope'], /unknown option '--nope'/],
  [['run', '--wat'], /Did you mean --wait\?/],
  [['runn'], /unknown command 'runn'\n\(Did you mean run\?\)/],
  [['\u001B[2J'], /unknown command '\\u\{1b\}\[2J'/],
  [['run', 'one', 'two'], /too many arguments for 'run'/],
  [['run', '../home/empty'], /holds no files to audit\.\n {2}Name a folder/],
  [['run', ...COMMAND.slice(0, 2)], /needs the program to run\.\n {2}Give it with --command/],
  [['run', ...SCRIPT], /needs a transcript\.\n {2}Give it with --transcript/],
  [['run', '--agent-batch-size', '6'], /unknown option '--agent-batch-size'/],
  [['run', '--fresh', '--again'], /exclude each other/],
  [['next', '--fresh', '--again'], /exclude each other/],
  [['run', '--fresh', '--audit', AUDIT], /--audit and --fresh exclude each other/],
  [['plan', '--again', '--audit', AUDIT], /--audit and --again exclude each other/],
  [['run', '--state-dir'], /argument missing/],
  [['run', '--fresh', '--audit', AUDIT], /--audit and --fresh exclude each other/],
  [['next', '--fresh', '--audit', AUDIT], /--audit and --fresh exclude each other/],
  [['status'], /There is no audit in .*\.casefile\.\n {2}Start one with: casefile run/],
  [['check', 'answer.json'], /required option '--packet <file>'/],
  [['import'], /missing required argument 'files'/],
  [['answer', 'q-1'], /missing required argument 'value'/],
];

test('bad input ends with exit 2 and a sentence that says what is wrong and what would be right (R38)', async () => {
  const calls = CALLS.map(([args, says]) => ({ what: args.join(' '), args, code: 2, says }));
  await expectRows([...rowsOfAll(), ...calls], (row) =>
    'in' in row && row.in === 'audited' ? audited : fresh,
  );
});

test('after all this nothing was created anywhere, and the audit that was there is whole', async () => {
  expect(fingerprintOf(fresh.folder)).toBe(before);
  expect(existsSync(join(fresh.root, '.casefile'))).toBe(false);
  expect(auditsOf(audited)).toHaveLength(1);
  expect((await audited.run('verify')).code).toBe(0);
});

test('without any argument the help comes on stderr, and exit 2; asked for, it is the answer', async () => {
  const [without, asked] = await Promise.all([fresh.run(), fresh.run('--help')]);
  expect([without.code, without.stdout]).toEqual([2, '']);
  expect([asked.code, asked.stderr]).toEqual([0, '']);
  expect(asked.stdout).toMatch(/Exit codes/);
});
