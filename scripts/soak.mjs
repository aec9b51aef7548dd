// The crash tests with more points than CI has time for: npm run soak -- --points 100000 --seed 7
//
// It runs the same tests (test/simulation), which take the two figures from the environment, so
// that a failure found here is repeated by giving the same seed to `npm run soak` or to one test.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    points: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
for (const [name, text] of Object.entries(values)) {
  if (!/^\d+$/.test(text)) {
    console.error(`--${name} takes a whole number, not "${text}".`);
    process.exit(2);
  }
}
console.log(`soak: ${values.points} points, seed ${values.seed}`);
const { status } = spawnSync(
  'npx',
  [
    ...['vitest', 'run', '--no-color', '--testTimeout=0'],
    ...['test/simulation', 'test/cli/contention.test.ts'],
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      CASEFILE_SOAK_POINTS: values.points,
      CASEFILE_SOAK_SEED: values.seed,
      CASEFILE_SOAK_RACES: '100',
    },
  },
);
process.exitCode = status ?? 1;
