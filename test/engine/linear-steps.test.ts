import { expect, test } from 'vitest';
import { workOf } from '../helpers/counted-work.ts';
import { playAudit } from '../helpers/simulated-audit.ts';
import { willingAgentsOver } from '../helpers/simulated-scenarios.ts';

const workFor = (packets: number): Promise<number> =>
  workOf(() => playAudit(willingAgentsOver(packets), []));

/** The work of one more packet in a whole audit, where there are so many already. */
const workOfOneMore = async (packets: number): Promise<number> =>
  ((await workFor(2 * packets)) - (await workFor(packets))) / packets;

test('a packet is as much work among many packets as among few (W32, W95)', async () => {
  // What is remembered for the whole process is there before anything is counted.
  for (let time = 0; time < 3; time += 1) await workFor(256);
  const [few, many] = [await workOfOneMore(16), await workOfOneMore(128)];
  expect(many).toBeLessThan(1.1 * few);
});

test('an artifact is read at most once in a life, however many steps need it (W32)', async () => {
  const { commits, operations, lives } = await playAudit(willingAgentsOver(8), [
    { kind: 'step', step: 12, end: { kind: 'kill' } },
  ]);
  expect(lives).toBe(2);
  const artifacts = commits.flatMap(({ events }) =>
    events.flatMap((event) => (event.type === 'ArtifactDerived' ? [event.artifact.digest] : [])),
  );
  for (const life of operations) {
    const read = life
      .filter(({ kind }) => kind === 'readFile')
      .map(({ path }) => artifacts.find((digest) => path.endsWith(digest)))
      .filter((digest) => digest !== undefined);
    expect(read).toEqual([...new Set(read)]);
  }
  // The second life has to read what the first one derived.
  expect(operations[1]?.some(({ path }) => artifacts.some((one) => path.endsWith(one)))).toBe(true);
});
