import type { Behaviour, Scenario } from './simulated-audit.ts';

const file = (name: string, isBad: boolean): string =>
  [
    `export const ${name} = (input) => {`,
    ...(isBad ? ['  return eval(input);'] : ['  return input + 1;']),
    '};',
    '',
  ].join('\n');

/** One file a folder: each is a unit and a packet of its own. */
const files = (bad: readonly boolean[]): Record<string, string> =>
  Object.fromEntries(
    bad.map((isBad, index) => [`part${index}/file.js`, file(`part${index}`, isBad)]),
  );

const behaviour =
  (script: Readonly<Record<string, readonly Behaviour[]>>) =>
  (path: string, launch: number): Behaviour => {
    const steps = script[path.split('/')[0] ?? ''] ?? ['answers'];
    return steps[Math.min(launch, steps.length) - 1] ?? 'answers';
  };

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'willing agents, two at a time',
    files: files([true, false, true, false]),
    behave: behaviour({ part1: ['answers-slowly'] }),
    ceiling: 2,
    attemptsMax: 6,
  },
  {
    name: 'agents that fail before they answer, and one that never does',
    files: files([true, true, false]),
    behave: behaviour({
      part0: ['crashes', 'garbage', 'answers'],
      part1: ['answers-one-task', 'answers'],
      part2: ['garbage'],
    }),
    ceiling: 3,
    attemptsMax: 5,
  },
  {
    name: 'a limit, a hang, and an answer beside a limit',
    files: files([true, false, true]),
    behave: behaviour({
      part0: ['limited', 'answers'],
      part1: ['hangs', 'answers'],
      part2: ['answers-and-hits-limit', 'answers'],
    }),
    ceiling: 1,
    attemptsMax: 6,
  },
];

/** So many files, each a unit and a packet of its own, which are all answered at once. */
export const willingAgentsOver = (count: number): Scenario => ({
  name: 'willing agents',
  files: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `part${index}/file.js`,
      `export const part${index} = (input) => input + ${index};\n`,
    ]),
  ),
  behave: () => 'answers',
  ceiling: 2,
  attemptsMax: 3,
});
