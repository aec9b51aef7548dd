// One life of casefile, cut down to its attempt runner, for tests that kill it. Argument: the
// launch as JSON. Says `called` when it has handed the attempt to the runner.
import type { Launch } from '../../src/platform/attempt-runner.ts';
import { createSystemClock } from '../../src/platform/clock.ts';
import { createNodeDisk } from '../../src/platform/node-disk.ts';
import { createProcessAttemptRunner } from '../../src/platform/process-attempt-runner.ts';

const launch = JSON.parse(process.argv[2] ?? '') as Launch;
const runner = createProcessAttemptRunner({ disk: createNodeDisk(), clock: createSystemClock() });
const report = runner.run(launch, new AbortController().signal);
process.stdout.write('called\n');
process.stdout.write(`${(await report).end.kind}\n`);
