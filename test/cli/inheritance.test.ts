import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import {
  auditFolder,
  auditsOf,
  commitsOf,
  eventsOf,
  findingsOf,
  type ReportedFinding,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { until } from '../helpers/real-attempts.ts';

/** Three packets of one task each, all reviewed by an agent, and then one of the files changed. */
let reviewed: Workplace;
let first: string;
beforeAll(async () => {
  reviewed = await createWorkplace(packetFiles(3));
  const { code } = await reviewed.run(
    'run',
    ...ONE_LENS,
    ...reviewed.commandOf('answer-with-finding'),
  );
  expect([code, reviewed.calls().length]).toEqual([0, 3]);
  first = auditsOf(reviewed)[0] ?? '';
  edit(reviewed, 2);
});
afterAll(() => reviewed.close());

const edit = (place: Workplace, part: number): void =>
  appendFileSync(join(place.root, `part-0${part}`, 'notes.txt'), 'One more line.\n');

const afterChange = async (): Promise<Workplace> => {
  const copy = await reviewed.copy();
  onTestFinished(copy.close);
  return copy;
};

const runIn = (place: Workplace, ...more: readonly string[]) =>
  place.run('run', ...ONE_LENS, ...place.commandOf('answer-with-finding'), ...more);

/** Without the tasks behind it: those of the changed file are others. */
const whatItSays = ({ category, severity, anchored, place, quote }: ReportedFinding) => ({
  ...{ category, severity, anchored, place, quote },
});

/** Of the newest audit: the planned tasks with where their results are from. */
const plannedIn = (place: Workplace) =>
  eventsOf(place, 'TasksPlanned').flatMap(
    ({ tasks }) =>
      tasks as readonly {
        readonly id: string;
        readonly paths: readonly string[];
        readonly inherited?: { readonly audit: string; readonly event: number };
      }[],
  );

describe('a new audit after one file has changed', () => {
  test('pays for that file alone, says so everywhere, and finds the same', async () => {
    const place = await afterChange();
    const before = findingsOf(place).map(whatItSays);
    const plan = await place.run('plan', ...ONE_LENS, ...place.commandOf('answer-with-finding'));
    expect(plan.stdout).toMatch(/in 3 tasks\n {2}inherited .*\n {2}packets +1 packet,/);
    expect(plan.stdout).toContain(`2 tasks from audit ${first}`);
    const { code, stdout } = await runIn(place, '--json');
    expect([code, place.calls().length]).toEqual([0, 4]);
    const inherited = [{ audit: first, tasks: 2 }];
    expect(JSON.parse(stdout)).toMatchObject({
      how: 'full',
      inherited,
      coverage: { reviewed: 3, notReviewed: 0 },
      spend: { attempts: { started: 1 } },
    });
    const summary = (await runIn(place)).stderr;
    expect(summary).toContain(`inherited 2 tasks from audit ${first}`);
    expect(place.calls()).toHaveLength(4);
    expect(findingsOf(place).map(whatItSays)).toEqual(before);
    const status = await place.run('status', '--json');
    expect(JSON.parse(status.stdout)).toMatchObject({ inherited, tasks: { accepted: 3 } });
    expect((await place.run('status')).stdout).toContain(`2 tasks from audit ${first}`);
    const report = readFileSync(join(auditFolder(place), 'report', 'report.md'), 'utf8');
    expect(report).toContain(`2 tasks from audit ${first}`);
    const task = plannedIn(place).find((one) => one.inherited !== undefined);
    const explained = await place.run('explain', task?.id ?? '');
    expect(explained.stdout).toContain(`audit ${first} reviewed the same content`);
  });

  test('names the event that brought each answer, and never one of the changed file', async () => {
    const place = await afterChange();
    const answers = eventsOf(place, 'AttemptEnded').length;
    const numbers = commitsOf(place).flatMap(({ seq, events }) =>
      events.flatMap(({ type }, index) => (type === 'AttemptEnded' ? [seq + index] : [])),
    );
    expect(answers).toBe(3);
    await runIn(place);
    for (const { paths, inherited } of plannedIn(place)) {
      expect(inherited === undefined).toBe(paths.includes('part-02/notes.txt'));
      if (inherited !== undefined) expect(numbers).toContain(inherited.event);
    }
  });

  test('needs no file of the audit that it inherits from', async () => {
    const place = await afterChange();
    await runIn(place);
    const report = findingsOf(place);
    rmSync(join(place.root, '.casefile', 'audits', first), { recursive: true });
    rmSync(join(auditFolder(place), 'report'), { recursive: true });
    expect((await place.run('verify')).code).toBe(0);
    expect((await place.run('replay', '--verify')).code).toBe(0);
    expect((await runIn(place)).code).toBe(0);
    expect(findingsOf(place)).toEqual(report);
  });

  test('names the audit that reviewed, also when it was inherited in between', async () => {
    const place = await afterChange();
    await runIn(place);
    const second = auditsOf(place).at(-1);
    edit(place, 3);
    const { stdout } = await runIn(place, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      inherited: [
        { audit: first, tasks: 1 },
        { audit: second, tasks: 1 },
      ],
    });
    expect(place.calls()).toHaveLength(5);
  });

  test('killed at any step, pays for nothing twice and loses nothing', async () => {
    const place = await afterChange();
    const gate = join(place.folder, 'gate');
    const begin = () => place.start('run', ...ONE_LENS, ...place.commandOf('slow-answer', gate));
    for (const type of ['AuditOpened', 'ArtifactDerived', 'TasksPlanned', 'AttemptStarted']) {
      const life = begin();
      await until(() => auditsOf(place).length > 1 && hasEvent(place, type));
      life.kill('SIGKILL');
      await life.ended;
    }
    writeFileSync(gate, '');
    const { code, stdout } = await place.run(
      ...['run', ...ONE_LENS, ...place.commandOf('slow-answer', gate), '--json'],
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ inherited: [{ audit: first, tasks: 2 }] });
    // One audit, one attempt: whoever came later waited for the worker of the killed one.
    expect([auditsOf(place).length, place.calls().length]).toEqual([2, 4]);
    expect((await place.run('verify')).code).toBe(0);
  });

  test('asks everything with --fresh, also when it is gone on with', async () => {
    const place = await afterChange();
    expect((await runIn(place, '--fresh', '--max-runs', '1')).code).toBe(3);
    expect((await runIn(place)).code).toBe(0);
    expect([auditsOf(place).length, place.calls().length]).toEqual([2, 6]);
    expect(plannedIn(place).filter((task) => task.inherited !== undefined)).toEqual([]);
  });

  test('a plan that inherits nothing narrows no later run', async () => {
    const place = await afterChange();
    await place.run('plan', ...ONE_LENS, ...place.commandOf('answer-with-finding'), '--fresh');
    expect((await runIn(place)).code).toBe(0);
    expect([auditsOf(place).length, place.calls().length]).toEqual([3, 4]);
  });
});

describe('nothing is inherited', () => {
  test.each([
    ['a byte of its log was changed', 'events'],
    ['the blobs of its results are gone', 'blobs'],
  ])('from an audit when %s', async (_, part) => {
    const place = await afterChange();
    const folder = join(place.root, '.casefile', 'audits', first);
    // A newer audit of another kind stands before it, so that nobody goes on with the damaged one.
    expect((await place.run('run', '--provider', 'builtin')).code).toBe(0);
    if (part === 'blobs') rmSync(join(folder, 'blobs'), { recursive: true });
    else {
      const log = join(folder, 'events', '000000000001.jsonl');
      writeFileSync(
        log,
        readFileSync(log, 'utf8').replace('"verdict":"findings"', '"verdict":"clean"'),
      );
    }
    const { code, stdout, stderr } = await runIn(place, '--again', '--json');
    expect([code, place.calls().length]).toEqual([0, 6]);
    expect(JSON.parse(stdout)).not.toHaveProperty('inherited');
    if (part === 'events') expect(stderr).toContain(`Nothing is taken over from audit ${first}`);
  });

  test('by an agent from analyzers, nor by analyzers from an agent', async () => {
    const place = await createWorkplace(packetFiles(2));
    onTestFinished(place.close);
    expect((await place.run('run', '--provider', 'builtin')).code).toBe(0);
    expect((await runIn(place)).code).toBe(0);
    expect(place.calls()).toHaveLength(2);
    const { stdout } = await place.run('run', '--provider', 'builtin', '--again', '--json');
    expect(JSON.parse(stdout)).not.toHaveProperty('inherited');
  });

  test('of a file that changed during the audit, even when it is as it was again', async () => {
    const place = await createWorkplace(packetFiles(2));
    onTestFinished(place.close);
    const file = join(place.root, 'part-01', 'notes.txt');
    const original = readFileSync(file);
    expect((await runIn(place, '--max-runs', '1')).code).toBe(3);
    const [settled] = eventsOf(place, 'ResultAccepted');
    const path = plannedIn(place).find(({ id }) => id === settled?.['task'])?.paths[0] ?? '';
    const changed = join(place.root, path);
    const before = path === 'part-01/notes.txt' ? original : readFileSync(changed);
    appendFileSync(changed, 'Changed.\n');
    expect((await runIn(place)).code).toBe(4);
    writeFileSync(changed, before);
    const { stdout } = await runIn(place, '--again', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ inherited: [{ tasks: 1 }] });
    expect(place.calls()).toHaveLength(3);
  });
});

test('--again asks for what was given up, and for nothing else', async () => {
  const place = await createWorkplace(packetFiles(3));
  onTestFinished(place.close);
  const broken = place.commandOf('crash-always');
  expect((await runIn(place, '--max-runs', '2')).code).toBe(3);
  expect((await place.run('run', ...ONE_LENS, ...broken, '--max-attempts', '1')).code).toBe(4);
  const { code, stdout } = await runIn(place, '--again', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ how: 'full', inherited: [{ tasks: 2 }] });
  expect(place.calls()).toHaveLength(4);
});

test('of several audits the newest counts, whatever order their folders were made in', async () => {
  const place = await afterChange();
  expect((await runIn(place, '--fresh')).code).toBe(0);
  const second = auditsOf(place).at(-1) ?? '';
  const audits = join(place.root, '.casefile', 'audits');
  // The older one is copied anew, so that it is the younger folder on the disk.
  cpSync(join(audits, first), join(place.folder, 'aside'), { recursive: true });
  rmSync(join(audits, first), { recursive: true });
  cpSync(join(place.folder, 'aside'), join(audits, first), { recursive: true });
  const { stdout } = await runIn(place, '--again', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ inherited: [{ audit: second, tasks: 3 }] });
});

const hasEvent = (place: Workplace, type: string): boolean => {
  try {
    return eventsOf(place, type).length > 0;
  } catch {
    // The log is not there yet, or its last line is being written.
    return false;
  }
};
