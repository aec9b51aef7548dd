// One life of casefile, cut down to its attempt runner, for tests that kill it. Argument: the
// launch as JSON. Says `called` when it has handed the attempt to the runner.
import { createSystemClock } from '../../dist/src/platform/clock.js';
import { createNodeDisk } from '../../dist/src/platform/node-disk.js';
import { createProcessAttemptRunner } from '../../dist/src/platform/process-attempt-runner.js';

const launch = JSON.parse(process.argv[2]);
const runner = createProcessAttemptRunner({ disk: createNodeDisk(), clock: createSystemClock() });
const report = runner.run(launch, new AbortController().signal);
console.log('called');
console.log((await report).end.kind);
