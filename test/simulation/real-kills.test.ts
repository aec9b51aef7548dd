import { afterEach, expect, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import { auditsOf, eventsOf, findingsOf, logFile } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Started, type Workplace } from '../helpers/built-program.ts';
import { until } from '../helpers/real-attempts.ts';
import { createSeededRandom } from '../helpers/seeded-random.ts';
import { existsSync } from 'node:fs';

/**
 * The built program and real SIGKILLs. The simulation stops the engine at every single write; here
 * the operating system, the processes and the real disk take part.
 */
const PACKETS = 30;
const KILLS = 50;
const SLOTS = 2;
const SEED = 20_261_130;

const places: Workplace[] = [];
const workplaceOf = async (files: Readonly<Record<string, string>>): Promise<Workplace> => {
  const place = await createWorkplace(files);
  places.push(place);
  return place;
};
afterEach(async () => {
  for (const place of places.splice(0)) await place.close();
});

test('killed at fifty moments and started again, a run takes every answer once and finds the same (T02, B08)', async () => {
  const place = await workplaceOf(packetFiles(PACKETS));
  const undisturbed = await place.copy();
  places.push(undisturbed);
  const flagsFor = ({ commandOf }: Workplace): readonly string[] => [
    ...['run', ...ONE_LENS, '--parallel', String(SLOTS), '--max-attempts', String(KILLS)],
    ...commandOf('paced-finding'),
  ];
  expect((await undisturbed.run(...flagsFor(undisturbed))).code).toBe(0);
  // The review, and a last look over the whole of it.
  expect(undisturbed.calls()).toHaveLength(PACKETS + 1);

  const random = createSeededRandom(SEED);
  let kills = 0;
  while (kills < KILLS) {
    const life = place.start(...flagsFor(place));
    await momentIn(life, place, kills, random.below);
    life.kill('SIGKILL');
    const { signal, code, stderr } = await life.ended;
    expect([signal, code], stderr).toEqual(['SIGKILL', undefined]);
    kills += 1;
  }
  const last = await place.run(...flagsFor(place));
  expect(last.code, last.stderr).toBe(0);

  const accepted = eventsOf(place, 'ResultAccepted').map(({ task }) => task);
  expect([accepted.length, new Set(accepted).size]).toEqual([PACKETS + 1, PACKETS + 1]);
  const tokens = place.calls().map((line) => line.split(' ')[0]);
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(tokens.length).toBeLessThanOrEqual(PACKETS + 1 + KILLS * SLOTS);
  expect(JSON.stringify(findingsOf(place))).toBe(JSON.stringify(findingsOf(undisturbed)));
  expect(place.living()).toEqual([]);
  expect((await place.run('verify')).code).toBe(0);
  expect((await place.run('replay', '--verify')).code).toBe(0);
});

/**
 * A moment somewhere in a life: in the start of the program, when it has written something, when a
 * worker starts, or when an answer comes in. When the work is ahead of the kills, an early one, so
 * that there is something left to kill.
 */
const momentIn = async (
  life: Started,
  place: Workplace,
  kills: number,
  below: (limit: number) => number,
): Promise<void> => {
  const isAhead = place.calls().length * KILLS > PACKETS * kills;
  const kind = isAhead ? 0 : below(4);
  const later = below(kind === 0 ? 400 : 120);
  const before = seen(place);
  await until(() => {
    const now = seen(place);
    return (
      life.isOver() ||
      kind === 0 ||
      (kind === 1 && now.events > before.events) ||
      (kind === 2 && now.calls > before.calls) ||
      (kind === 3 && now.ends > before.ends)
    );
  });
  const due = performance.now() + later;
  await until(() => performance.now() >= due);
};

const seen = (place: Workplace) => ({
  calls: place.calls().length,
  events: hasLog(place) ? eventsOf(place).length : 0,
  ends: hasLog(place) ? eventsOf(place, 'AttemptEnded').length : 0,
});

const hasLog = (place: Workplace): boolean =>
  auditsOf(place).length > 0 && existsSync(logFile(place));

test('a worker that always crashes gets its attempts once over all lives, and the audit ends partial (B10)', async () => {
  const place = await workplaceOf({ 'notes.txt': 'A sentence.\n' });
  const flags = ['run', ...ONE_LENS, '--max-attempts', '3', ...place.commandOf('crash-always')];
  for (const attempts of [1, 2]) {
    const life = place.start(...flags);
    await until(() => seen(place).ends === attempts || life.isOver());
    life.kill('SIGKILL');
    expect((await life.ended).signal).toBe('SIGKILL');
    expect(place.calls()).toHaveLength(attempts);
  }
  const { code, stderr } = await place.run(...flags);
  expect([code, place.calls().length]).toEqual([4, 3]);
  expect(stderr).toMatch(/complete, in part/);
  expect(eventsOf(place, 'TaskAbandoned')).toHaveLength(1);
  expect((await place.run('verify')).code).toBe(0);
});
