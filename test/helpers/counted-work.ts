import { Session } from 'node:inspector/promises';

/** One for the process: what was compiled before it began, or between two of them, counts no blocks. */
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/**
 * How much a piece of code does: how often the blocks of our sources ran, as the engine counts them for
 * coverage. The same on every machine, however busy it is, and so the way to hold code to a cost that
 * grows with its input and not with the square of it. What built-in functions do inside is not seen,
 * but for the callbacks that they call.
 */
export const workOf = async (work: () => unknown): Promise<number> => {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let blocks = 0;
  for (const { url, functions } of result) {
    if (!/\/src\/[a-z]/.test(url)) continue;
    for (const { ranges } of functions) for (const { count } of ranges) blocks += count;
  }
  return blocks;
};
