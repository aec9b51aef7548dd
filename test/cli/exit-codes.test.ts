import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { initialState, type AuditState } from '../../src/decider/state.ts';
import { exitOf, type RunOutcome } from '../../src/cli/exit.ts';
import { FLAWED_PROJECT, ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

/** Planned for an agent, two packets; nothing was started yet. */
let planned: Workplace;
/** Audited by the bundled analyzers: one finding over the gate, one file that they could not check. */
let flawed: Workplace;
beforeAll(async () => {
  [planned, flawed] = await Promise.all([
    createWorkplace(packetFiles(2)),
    createWorkplace(FLAWED_PROJECT),
  ]);
  await Promise.all([
    planned.run('plan', ...ONE_LENS, ...planned.commandOf('answer-clean')),
    flawed.run('run'),
  ]);
});
afterAll(async () => {
  await planned.close();
  await flawed.close();
});

type Exit = { readonly exit: { readonly code: number; readonly reason: string } };

/** Runs in a copy; the exit code must be the one that the JSON names. */
const exitIn = async (
  workplace: Workplace,
  flagsIn: (place: Workplace) => readonly string[],
): Promise<readonly [number | undefined, string]> => {
  const place = await workplace.copy();
  onTestFinished(place.close);
  const { code, stdout } = await place.run('run', '--json', ...flagsIn(place));
  const { exit } = JSON.parse(stdout) as Exit;
  expect(exit.code).toBe(code);
  return [code, exit.reason];
};

const worker =
  (name: string, ...flags: readonly string[]) =>
  (place: Workplace): readonly string[] => [...ONE_LENS, ...flags, ...place.commandOf(name)];
const missing = (): readonly string[] => [
  ...ONE_LENS,
  ...['--provider', 'command', '--command', 'no-such-program'],
];

test('a run that is blocked, stopped or failed never exits 0 (R38, W93)', async () => {
  const codes = [
    await exitIn(planned, missing),
    await exitIn(planned, worker('answer-clean', '--max-runs', '1')),
    await exitIn(planned, worker('limit-with-reset')),
    await exitIn(planned, worker('crash-always', '--max-attempts', '1')),
    await exitIn(planned, worker('garbage-answer', '--max-attempts', '1')),
  ];
  expect(codes).toEqual([
    [3, 'blocked'],
    [3, 'stopped'],
    [3, 'cooling'],
    [4, 'partial'],
    [4, 'partial'],
  ]);
});

test('a stage that fails blocks the audit with exit 3 and its cause, and the next run goes on', async () => {
  const place = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  onTestFinished(place.close);
  // The folder for the copy of the tree cannot be made where a file is.
  await writeFile(join(place.folder, 'cache'), '');
  const { code, stderr } = await place.run('run');
  expect(code).toBe(3);
  expect(stderr).toMatch(/The stage "structure" failed: .*Mend the cause and run again/);
  expect((await place.run('status')).stdout).toMatch(/blocked +The stage "structure" failed/);
});

test.each([
  ['complete and under the gate is 0', [0, 'complete'], ['--fail-on', 'critical']],
  ['a finding over the gate is 1', [1, 'gate'], []],
  ['the gate comes before what is missing', [1, 'gate'], ['--require-complete']],
  [
    'something that was not looked at is 4 when all was required',
    [4, 'incomplete'],
    ['--fail-on', 'none', '--require-complete'],
  ],
] as const)('%s', async (_, expected, flags) => {
  expect(await exitIn(flawed, () => flags)).toEqual(expected);
});

test('a stopped run says 3 before it speaks of the gate, and gives both reasons', async () => {
  const place = await planned.copy();
  onTestFinished(place.close);
  const flags = worker('answer-with-finding', '--max-runs', '1', '--fail-on', 'low')(place);
  const { code, stdout } = await place.run('run', '--json', ...flags);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    exit: { reasons: [{ reason: 'stopped' }, { reason: 'gate' }] },
  });
});

test('exit 0 is a full audit, under the gate, that no signal ended; the lowest rank that holds is said', () => {
  const RANK = [130, 143, 2, 3, 1, 4, 0];
  fc.assert(
    fc.property(outcomes, (outcome) => {
      const { code, reasons } = exitOf(outcome);
      const isFine =
        outcome.signal === undefined &&
        outcome.state.completed?.how === 'full' &&
        outcome.overGate === 0 &&
        !(outcome.requireComplete && outcome.gaps > 0);
      expect(code === 0).toBe(isFine);
      expect(reasons.length).toBeGreaterThan(0);
      const expected = RANK.find((rank) => holds(outcome, rank));
      expect(code).toBe(expected);
    }),
  );
});

/** The order of the exit codes, written down once more. */
const holds = (outcome: RunOutcome, code: number): boolean => {
  const { signal, state, overGate, requireComplete, gaps } = outcome;
  switch (code) {
    case 130:
      return signal === 'SIGINT';
    case 143:
      return signal === 'SIGTERM' || signal === 'SIGHUP';
    case 3:
      return state.completed === undefined;
    case 1:
      return overGate > 0;
    case 4:
      return state.completed?.how === 'partial' || (requireComplete && gaps > 0);
    default:
      return code === 0;
  }
};

const outcomes: fc.Arbitrary<RunOutcome> = fc.record({
  signal: fc.constantFrom(undefined, 'SIGINT', 'SIGTERM', 'SIGHUP'),
  state: fc.constantFrom(undefined, 'full', 'partial').map((how): AuditState => ({
    ...initialState(),
    ...(how !== undefined && { completed: { how, reasons: ['It is so.'], number: 9, at: 1 } }),
  })),
  coolsUntil: fc.constant(undefined),
  overGate: fc.nat(3),
  failOn: fc.constant('high'),
  gaps: fc.nat(2),
  requireComplete: fc.boolean(),
});
