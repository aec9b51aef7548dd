import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError, type Command } from 'commander';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { describeProgramme } from '../../src/cli/program.ts';
import { bent, junkBytes, junkJson, junkText, nearly } from '../helpers/arbitrary-junk.ts';
import { auditFolder } from '../helpers/audit-on-disk.ts';
import {
  endOf,
  expectNothingLost,
  expectOrderly,
  lookAround,
  twoAtATime,
} from '../helpers/bad-input-row.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { bytesOf } from '../helpers/review-samples.ts';

/** An audit that waits for a host, with its answers. */
let place: Workplace;
beforeAll(async () => {
  place = await createWorkplace({ 'notes.md': '# Notes\n', 'a.js': 'export const a = 1;\n' });
  mkdirSync(join(place.folder, 'home', 'empty'));
  mkdirSync(join(place.folder, 'home', 'answers'));
  execFileSync('mkfifo', [join(place.folder, 'home', 'pipe')]);
  expect((await place.run('next', '--lenses', 'security')).code).toBe(0);
});
afterAll(() => place.close());
afterEach(() => vi.restoreAllMocks());

const COMMANDS = describeProgramme(() => undefined).commands;
const FLAGS = [
  ...new Set(COMMANDS.flatMap(({ options }) => options.map(({ long }) => long ?? ''))),
];

/** Values that are right somewhere, and wrong nearly everywhere else. */
const values = fc.constantFrom(
  ...[
    '1',
    '0',
    '4',
    '10m',
    '0.5',
    'true',
    'builtin',
    'handoff',
    'auto',
    'security',
    'security,tests',
  ],
  ...[
    'high',
    'none',
    'plain',
    'json',
    'dot',
    'audit',
    'attempt',
    'planning',
    '#17',
    '17',
    'p-',
    't-',
  ],
  ...[
    '.',
    'notes.md',
    'nowhere',
    '../home/empty',
    '../home/answers',
    '../home/pipe',
    '*.js',
    'src/',
  ],
  ...['20261130', 'AttemptEnded', '2026-11-30T10:14:00Z', 'q-1', 'yes', 'bash', '--', '-', '-h'],
);

/**
 * Values that would make a real call do what it was told: run a program, or keep its state in a folder
 * of any name in the tree. They are chosen, and the rest is left to chance.
 */
const CHOSEN: Readonly<Record<string, fc.Arbitrary<string>>> = {
  '--command': fc.constantFrom('', 'node -e 0', 'no-such-program', '["node"', "'", '{promt}'),
  '--state-dir': fc.constantFrom('.', '../state', 'notes.md', '/dev/null/state', ''),
  '--grace': fc.constantFrom('0', '1s', 'soon', ''),
  '--timeout': fc.constantFrom('5s', '0', 'soon'),
};

const flag = fc
  .constantFrom(...FLAGS, '--nope', '-x', '-V', '--help')
  // It follows until the audit is complete, or sleeps through a cooldown: both may last.
  .filter((name) => name !== '--follow' && name !== '--wait');
/** A root of chance could be any folder of this machine. */
const tame = junkText.filter((text) => !/[/.~\0]/.test(text));
const value = fc.oneof({ weight: 4, arbitrary: values }, { weight: 1, arbitrary: tame });

const flagged: fc.Arbitrary<readonly string[]> = flag.chain((name) =>
  fc
    .tuple(CHOSEN[name] ?? value, fc.constantFrom('apart', 'together', 'alone'))
    .map(([text, how]) =>
      how === 'together' ? [`${name}=${text}`] : how === 'apart' ? [name, text] : [name],
    ),
);
const words = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: flagged },
      { weight: 1, arbitrary: value.map((one) => [one]) },
    ),
    {
      maxLength: 5,
    },
  )
  .map((parts) => parts.flat())
  // A flag that stands alone takes what comes next for its value, whatever that is.
  .filter((all) => all.every((word, at) => isTame(word, all[at + 1])));

const isTame = (word: string, next: string | undefined): boolean =>
  !(word === '--state-dir' || word === '--command') ||
  next === undefined ||
  ['', '.', '../state', 'notes.md', '/dev/null/state', 'node -e 0', 'no-such-program'].includes(
    next,
  );

const commandNames = COMMANDS.flatMap((command) => [command.name(), ...command.aliases()]);
const calls: fc.Arbitrary<readonly string[]> = fc
  .tuple(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...commandNames) },
      { weight: 1, arbitrary: tame },
    ),
    words,
  )
  .map(([name, rest]) => [name, ...rest]);

/** A programme whose commands do nothing, so that only the reading of arguments is tried. */
const idleProgramme = (): Command => {
  const programme = describeProgramme(() => undefined);
  for (const command of programme.commands) command.action(() => undefined);
  return programme;
};

test('any arguments are taken, or refused by a printable message with exit 2: nothing else is thrown', async () => {
  let told = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      told += String(text);
      return true;
    });
  }
  const anything = fc.oneof(calls, fc.array(fc.oneof(junkText, flag, values), { maxLength: 6 }));
  await fc.assert(
    fc.asyncProperty(anything, async (args) => {
      told = '';
      const error: unknown = await idleProgramme()
        .parseAsync([...args], { from: 'user' })
        .then(
          () => undefined,
          (reason: unknown) => reason,
        );
      if (error !== undefined) expect(error).toBeInstanceOf(CommanderError);
      // oxlint-disable-next-line no-control-regex
      expect(told).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
    { seed: 1, numRuns: 1500 },
  );
});

/** Makes a call and expects what holds for every call. */
const expectCall = async (args: readonly string[]): Promise<void> => {
  const what = JSON.stringify(args);
  const before = lookAround(place);
  const ended = await endOf(place.start(...args), 30_000);
  expectOrderly(ended, what);
  expectNothingLost(place, before, what, { isSame: false });
};

const sampled = <Value>(arbitrary: fc.Arbitrary<Value>, numRuns: number): readonly Value[] =>
  fc.sample(arbitrary, { seed: 1, numRuns });

test('any arguments to the real program end in time with a documented exit code and a sentence, and touch nothing outside', async () => {
  const real = sampled(calls, 100).map((args) => args.map((word) => word.replaceAll('\0', '')));
  await twoAtATime(real.map((args) => () => expectCall(args)));
  expect((await place.run('verify')).code).toBe(0);
});

test('any configuration leads to an orderly end, and changes nothing outside', async () => {
  const file = join(place.root, 'casefile.config.json');
  const folder = join(place.folder, 'config', 'casefile');
  mkdirSync(folder, { recursive: true });
  const own = { lenses: ['security'], include: ['*.js'], failOn: 'none' };
  const users = { provider: 'handoff', parallel: 2, timeout: '5s', grace: 0 };
  const any = (whole: unknown): fc.Arbitrary<Uint8Array> =>
    fc.oneof(
      junkBytes,
      bent(whole).map((one) => bytesOf(JSON.stringify(one) ?? '')),
      nearly(JSON.stringify(whole)),
    );
  for (const [repository, user] of sampled(fc.tuple(any(own), any(users)), 12)) {
    writeFileSync(file, repository);
    writeFileSync(join(folder, 'config.json'), user);
    await Promise.all([expectCall(['doctor']), expectCall(['next'])]);
  }
  for (const written of [file, join(folder, 'config.json')]) rmSync(written);
});

test('any answer is told to be good or bad by check and by ingest, and only adds to the log', async () => {
  const [packet = ''] = readdirSync(join(auditFolder(place), 'hand-offs')).filter((name) =>
    name.startsWith('p-'),
  );
  const brief = join(auditFolder(place), 'hand-offs', packet, 'packet.json');
  const whole = { packet, results: [{ task: 't-0', verdict: 'clean' }] };
  const file = join(place.folder, 'home', 'answers', 'answer.json');
  const any = fc.oneof(
    junkBytes,
    junkJson.map(bytesOf),
    bent(whole).map((one) => bytesOf(JSON.stringify(one) ?? '')),
    nearly(JSON.stringify(whole)),
  );
  for (const bytes of sampled(any, 12)) {
    writeFileSync(file, bytes);
    await Promise.all([
      expectCall(['check', file, '--packet', brief]),
      expectCall(['ingest', file]),
    ]);
    await expectCall(['check', file, '--packet', file]);
  }
  expect((await place.run('verify')).code).toBe(0);
});
