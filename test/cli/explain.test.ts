import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import {
  auditsOf,
  commitsOf,
  eventsOf,
  findingsOf,
  fingerprintOf,
} from '../helpers/audit-on-disk.ts';
import { until } from '../helpers/real-attempts.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

/** What `explain --json` prints, as far as tests look at it. */
type Explained = {
  readonly subject: { readonly kind: string; readonly id: string };
  readonly what: readonly string[];
  readonly now: readonly string[];
  readonly history: readonly {
    readonly seq: number;
    readonly type: string;
    readonly text: string;
    readonly refused?: { readonly code: string; readonly message: string };
    readonly blobs: readonly {
      readonly role: string;
      readonly path: string;
      readonly bytes: number;
    }[];
  }[];
};

let place: Workplace;
/** Two packets: the first one's worker crashes, then answers garbage, then with a finding. */
beforeAll(async () => {
  place = await createWorkplace(packetFiles(2));
  for (const worker of ['crash-always', 'garbage-answer', 'answer-with-finding']) {
    const step = ['run', ...ONE_LENS, '--parallel', '1', '--max-runs', '1', '--max-attempts', '5'];
    // The packet's pause is over before the next step: else the other packet would have its turn.
    await until(() => pausesOf(place).every((instant) => instant <= Date.now()));
    await place.run(...step, ...place.commandOf(worker));
  }
});
afterAll(() => place.close());

const explain = async (...args: readonly string[]): Promise<Explained> => {
  const { code, stdout, stderr } = await place.run('explain', ...args, '--json');
  expect([args, code, stderr]).toEqual([args, 0, '']);
  return JSON.parse(stdout) as Explained;
};
const planned = <Id extends 'tasks' | 'packets'>(what: Id): readonly string[] =>
  eventsOf(place, what === 'tasks' ? 'TasksPlanned' : 'PacketsPlanned').flatMap((event) =>
    (event[what] as readonly { readonly id: string }[]).map(({ id }) => id),
  );
/** When packets may start again, as far as the log says. */
const pausesOf = (of: Workplace): readonly number[] =>
  auditsOf(of).length === 0
    ? []
    : eventsOf(of).flatMap(({ retryAt }) => (typeof retryAt === 'number' ? [retryAt] : []));
/** Packets in the order in which they were started first. */
const started = (): readonly string[] => [
  ...new Set(eventsOf(place, 'AttemptStarted').map(({ packet }) => String(packet))),
];
const typesOf = ({ history }: Explained): readonly string[] => history.map(({ type }) => type);

test('a packet is told with its attempts, what was refused and why, and its bytes, in order', async () => {
  const [packet] = started();
  const told = await explain(String(packet));
  expect(told.subject).toEqual({ kind: 'packet', id: packet });
  const seqs = told.history.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((left, right) => left - right));
  expect(typesOf(told)[0]).toBe('PacketsPlanned');
  expect(typesOf(told)).toEqual(
    expect.arrayContaining(['AttemptStarted', 'AttemptEnded', 'ResultRejected']),
  );
  const refused = told.history.flatMap((event) => event.refused ?? []);
  expect(refused).toEqual([{ code: 'unreadable-answer', message: expect.any(String) as string }]);
  const blobs = told.history.flatMap((event) => event.blobs);
  expect(blobs.map(({ role }) => role)).toEqual(
    expect.arrayContaining(['prompt', 'answer', 'stderr']),
  );
  for (const { path, bytes } of blobs) {
    expect(readFileSync(join(place.root, path)).length).toBe(bytes);
  }
  // Exactly what the log says of it, and nothing of the other packet.
  const own = commitsOf(place).flatMap(({ seq, events }) =>
    events.flatMap(({ type, packet: of }, index) => (of === packet ? [[seq + index, type]] : [])),
  );
  const named = told.history.map(({ seq, type }) => [seq, type]);
  expect(named).toEqual(expect.arrayContaining(own));
});

test('a task is told by what concerns it alone, and says why it is where it is', async () => {
  for (const task of planned('tasks')) {
    const told = await explain(task);
    expect(told.history[0]).toMatchObject({ type: 'TasksPlanned', text: 'it was planned' });
    const mine = told.history.filter(({ type }) => type === 'ResultAccepted');
    expect(mine.length).toBeLessThanOrEqual(1);
    expect(told.now[0]).toMatch(
      mine.length === 1 ? /^It is settled: the answer of event \d+/ : /^It is open\./,
    );
  }
  const open = (await Promise.all(planned('tasks').map((task) => explain(task)))).filter(
    ({ now }) => /open/.test(now[0] ?? ''),
  );
  expect(open).toHaveLength(1);
  // The scheduler's own reason: nobody works on it now.
  expect(open[0]?.now[0]).toMatch(/no process works on the audit/);
});

test('an attempt says how it ended, and where its output is', async () => {
  const [first] = eventsOf(place, 'AttemptEnded');
  const token = String(first?.['token']);
  const told = await explain(`#${token}`);
  expect(told).toEqual(await explain(token));
  expect(told.subject).toEqual({ kind: 'attempt', id: token });
  expect(typesOf(told)).toEqual(['AttemptStarted', 'AttemptEnded']);
  expect(told.now[0]).toMatch(/^It brought no answer: it exited with code \d/);
  expect(told.history[1]?.blobs.map(({ role }) => role)).toEqual(['stderr']);
});

test('an event says what it answered and what followed from it', async () => {
  const cause = commitsOf(place).find(({ cause: { of } }) => of !== undefined)!;
  const told = await explain(String(cause.events.length + cause.seq - 1));
  expect(told.what[0]).toContain(`written by writer ${cause.epoch}`);
  expect(told.now[0]).toContain(`because of event ${cause.cause.of}`);
});

test('accounts, obligations and the audit itself are told too', async () => {
  expect((await explain('planning')).now).toEqual(['It holds.']);
  expect((await explain('NARR')).now[0]).toMatch(/does not hold yet/);
  const account = String(eventsOf(place, 'AttemptStarted')[0]?.['account']);
  expect((await explain(account)).what[0]).toContain('3 attempts so far');
  const audit = await explain();
  expect(audit).toEqual(await explain('audit'));
  expect(audit).toEqual(await explain(auditsOf(place)[0] ?? ''));
  expect(audit.now.join(' ')).toMatch(/It is in dispatching: 1 task of 2 tasks open/);
  expect(audit.now.join(' ')).toMatch(/No process works on it/);
});

test('a finding is told from the plan of its task to its acceptance', async () => {
  const [id] = findingIds();
  const told = await explain(String(id).slice(0, 12));
  expect(told.subject).toEqual({ kind: 'finding', id });
  expect(typesOf(told).at(-1)).toBe('ResultAccepted');
  expect(told.what[0]).toContain(findingsOf(place)[0]?.category ?? 'none');
});

test('the plain form says the same to people, in printable lines', async () => {
  const [packet] = started();
  const { stdout, code } = await place.run('explain-task', String(packet));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Packet p-[0-9a-f]{16}: 1 task, about [\d,]+ tokens of input, place 1 /);
  expect(stdout).toMatch(/\n +\d+ {2}2\d{3}-\d\d-\d\dT\S+Z {2}attempt 1 of packet/);
  expect(stdout).toMatch(/ {4}prompt +\.casefile\/audits\/\S+\/blobs\//);
  expect(stdout).toMatch(/\nWhere it stands, as of event \d+ \(/);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test('an id that nothing has, or several have, is refused with what there is', async () => {
  const unknown = await place.run('explain', 't-0000');
  expect([unknown.code, unknown.stdout]).toEqual([2, '']);
  expect(unknown.stderr).toMatch(/has nothing that is named "t-0000"/);
  expect(unknown.stderr).toMatch(/task \(t-…\), packet \(p-…\).*casefile status.*casefile log/);
  const several = await place.run('explain', 'p-');
  expect(several.code).toBe(2);
  for (const packet of planned('packets')) expect(several.stderr).toContain(packet);
  for (const word of ['#1', '999999', '0', '../..', '-', '$(id)', '\u001b[2J']) {
    const { code, stderr } = await place.run('explain', '--', word);
    expect([word, code]).toEqual([word, 2]);
    expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  }
});

test('explaining writes nothing', async () => {
  const before = fingerprintOf(place.folder);
  await Promise.all([explain(), explain('review'), explain(started()[0] ?? '')]);
  expect(fingerprintOf(place.folder)).toBe(before);
  expect(existsSync(join(place.root, '.casefile'))).toBe(true);
});

const findingIds = (): readonly string[] =>
  findingsOf(place).map((finding) => (finding as unknown as { readonly id: string }).id);
