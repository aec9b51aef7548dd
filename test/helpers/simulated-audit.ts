import { setImmediate as turn } from 'node:timers/promises';
import type { Answer } from '../../src/domain/answer.ts';
import { ANSWER_VERSION } from '../../src/domain/answer.ts';
import type { Commit } from '../../src/domain/commit.ts';
import { lastNumberOf } from '../../src/domain/commit.ts';
import type { AuditEventOf } from '../../src/domain/events.ts';
import { packetBrief, type PacketBrief } from '../../src/domain/packet-brief.ts';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { auditFiles } from '../../src/engine/audit-files.ts';
import { openSession, type Opening } from '../../src/engine/session.ts';
import type { Launch } from '../../src/platform/attempt-runner.ts';
import { createCommandProvider } from '../../src/providers/command.ts';
import { readLog } from '../../src/store/read-log.ts';
import { claimEpoch } from '../../src/store/writer-epoch.ts';
import { createSeededRandom } from './seeded-random.ts';
import * as sample from './samples.ts';
import { createOutsideWorld, type SimulatedWork } from './simulated-attempt-runner.ts';
import { createSimulatedClock } from './simulated-clock.ts';
import {
  createSimulatedDisk,
  SimulatedCrash,
  type Operation,
  type SimulatedDisk,
} from './simulated-disk.ts';
import { createSimulatedSourceTree } from './simulated-source-tree.ts';

/**
 * A whole audit, many lives long, over a simulated disk, clock and agents: the real session, engine,
 * stages, provider and store, and only the four ports below them simulated. It watches from outside.
 */
export type Scenario = {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** What the agent does at its n-th launch (from 1) for the packet that holds this path. */
  readonly behave: (path: string, launch: number) => Behaviour | Writes;
  readonly ceiling: number;
  readonly attemptsMax: number;
};

export type Behaviour =
  | 'answers'
  | 'answers-slowly'
  | 'answers-one-task'
  | 'answers-and-hits-limit'
  | 'crashes'
  | 'hangs'
  | 'garbage'
  | 'limited';

/** An answer of its own, which the scenario writes. */
export type Writes = (brief: PacketBrief) => Uint8Array;

/** How a life ends before its time. */
export type Cut =
  | { readonly kind: 'disk'; readonly operation: number; readonly end: End }
  | { readonly kind: 'step'; readonly step: number; readonly end: End }
  | { readonly kind: 'fault'; readonly operation: number; readonly code: 'EIO' | 'ENOSPC' };
export type End = { readonly kind: 'kill' } | { readonly kind: 'power'; readonly seed: number };

export type Outcome = {
  /** The `findings` array of findings.json, as text. */
  readonly findings: string;
  /** All of findings.json. */
  readonly report: unknown;
  readonly how: string;
  readonly commits: readonly Commit[];
  readonly lives: number;
  /** Disk operations of each life, and steps of the outside world. */
  readonly operations: readonly (readonly Operation[])[];
  readonly steps: readonly number[];
  /** Files of the tree that were read, counted each time. */
  readonly reads: number;
};

/** What the outside saw that must never happen. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

const STATE = '/state';
const FILES = auditFiles(STATE, sample.AUDIT);
const RESET_AFTER_MS = 5 * 60_000;
const LIVES_MAX = 12;
/** Without progress for so many turns of the event loop, everything sleeps or hangs. */
const QUIET_TURNS = 3;

/** Plays an audit to its end; the n-th life ends at `cuts[n]`, the last ones come to their own. */
export const playAudit = async (scenario: Scenario, cuts: readonly Cut[]): Promise<Outcome> => {
  const clock = createSimulatedClock(sample.START);
  const tree = createSimulatedSourceTree(scenario.files);
  const inventory = await inventoryOf(tree, scenario);
  const launches = new Map<string, number>();
  const seen = createWitness(scenario);
  let disk = createSimulatedDisk(optionsOf(cuts[0]));
  let steps = 0;
  let onStep: (step: number) => void = () => undefined;

  const world = createOutsideWorld({
    clock,
    script: (launch) => {
      const brief = briefOf(disk, launch);
      const path = brief.tasks[0]?.files[0]?.path ?? '';
      const count = (launches.get(path) ?? 0) + 1;
      launches.set(path, count);
      seen.launched(launch.marker, clock.now(), world.running().length);
      return workOf(scenario.behave(path, count), brief, scenario, clock.now());
    },
    onStep: async () => {
      steps += 1;
      onStep(steps);
    },
  });

  const operations: (readonly Operation[])[] = [];
  const stepsOfLives: number[] = [];

  /** One process, from its start to its own end or to where it is cut. */
  const live = async (
    current: SimulatedDisk,
    epochNonce: string,
  ): Promise<'complete' | 'rests'> => {
    const claim = await claimEpoch({
      disk: current,
      directory: FILES.directory,
      self: {
        pid: 1,
        startTime: epochNonce,
        bootId: 'b',
        pidNamespace: 'n',
        host: 'h',
        nonce: epochNonce,
      },
      isOwnerDead: () => true,
      takeOver: false,
    });
    if (claim.kind === 'owned') throw new Violation('W3: a dead owner kept its audit');
    const isNew = (await begun(current)) === 0;
    const provider = createCommandProvider({
      command: ['agent', '{prompt}', '{answer}'],
      width: scenario.ceiling,
      runner: world.createRunner(),
      disk: current,
    });
    const session = await openSession(
      {
        disk: current,
        clock,
        files: FILES,
        epoch: claim.epoch,
        tool: '0.1.0',
        failOn: 'high',
        options: { wait: true, graceMs: 1000 },
        providerOf: () => provider,
        source: tree,
        takeInventory: () => Promise.resolve(inventory),
        freeze: () =>
          Promise.resolve({ tree: { folder: undefined, read: tree.read }, drifted: [], files: 0 }),
        enrich: () => Promise.resolve({ leads: [], analyzers: [], incomplete: [] }),
        view: { update: () => undefined, flush: () => Promise.resolve() },
        // Small, so that packets and segments are several.
        segmentBytesMax: 12_000,
        packetBudget: { tokensMax: 40_000, tasksMax: 2 },
        onCommit: (commit) => seen.published(commit),
      },
      isNew ? openingOf(inventory, provider, scenario) : undefined,
    );
    if (session.engine.published().lifecycle.path === 'blocked') {
      await session.engine.submit({ type: 'Resume', by: 'run' });
    }
    const end = await session.engine.run();
    await session.report();
    await session.close();
    return end.kind === 'complete' ? 'complete' : 'rests';
  };

  for (let life = 0; life < LIVES_MAX; life += 1) {
    const cut = cuts[life];
    const current = disk;
    steps = 0;
    const stopped = new Promise<'cut'>((resolve) => {
      onStep = (step) => {
        if (cut?.kind !== 'step' || step !== cut.step) return;
        world.crash();
        resolve('cut');
      };
    });
    const lived = live(current, `life-${String(life).padStart(4, '0')}`).catch((error: unknown) => {
      if (error instanceof Violation || isOurFault(error)) throw error;
      return 'cut' as const;
    });
    const end = await driven(Promise.race([lived, stopped]), clock);
    operations.push(current.operations());
    stepsOfLives.push(steps);
    if (end === 'complete') {
      return {
        // Looked at on a copy: what ends a life must not end the looking.
        ...(await finalOf(current.crash({ kind: 'kill' }), seen)),
        lives: life + 1,
        operations,
        steps: stepsOfLives,
        reads: tree.reads(),
      };
    }
    lived.catch(() => undefined);
    world.crash();
    const next = cuts[life + 1];
    const how: End = cut === undefined || cut.kind === 'fault' ? { kind: 'kill' } : cut.end;
    if (how.kind === 'power') world.powerCut();
    disk = current.crash(how, optionsOf(next));
  }
  throw new Violation(`the audit did not come to its end in ${LIVES_MAX} lives`);

  function optionsOf(cut: Cut | undefined) {
    if (cut?.kind === 'disk') return { crashAt: cut.operation };
    if (cut?.kind !== 'fault') return {};
    return {
      fault: ({ ordinal }: Operation) => (ordinal === cut.operation ? cut.code : undefined),
    };
  }
};

const isOurFault = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SimulatedCrash) return false;
    if ('code' in cause && (cause.code === 'EIO' || cause.code === 'ENOSPC')) return false;
    if (/SimulatedCrash|EIO|ENOSPC/.test(cause.message)) return false;
  }
  return true;
};

/** Lets everything run, and moves the clock whenever nothing does. */
const driven = async <T>(
  promise: Promise<T>,
  clock: ReturnType<typeof createSimulatedClock>,
): Promise<T> => {
  let settled: { readonly value: T } | { readonly error: unknown } | undefined;
  promise.then(
    (value) => (settled = { value }),
    (error: unknown) => (settled = { error }),
  );
  for (let idle = 0; ; idle += 1) {
    for (let quiet = 0; quiet < QUIET_TURNS && settled === undefined; quiet += 1) await turn();
    if (settled !== undefined) {
      if ('error' in settled) throw settled.error;
      return settled.value;
    }
    if (clock.advanceToNext()) idle = 0;
    else if (idle > 50) throw new Violation('nothing runs and nobody sleeps, yet the life goes on');
  }
};

const begun = async (disk: SimulatedDisk): Promise<number> =>
  readLog({ disk, directory: FILES.directory }).then(
    ({ commits }) => commits.length,
    (error: unknown) => {
      if (error instanceof Error && error.name === 'LogMissingError') return 0;
      throw error;
    },
  );

const inventories = new WeakMap<Scenario, ReturnType<typeof takeInventory>>();
const inventoryOf = (
  tree: ReturnType<typeof createSimulatedSourceTree>,
  scenario: Scenario,
): ReturnType<typeof takeInventory> => {
  let inventory = inventories.get(scenario);
  if (inventory === undefined) inventories.set(scenario, (inventory = takeInventory(tree)));
  return inventory;
};

const openingOf = (
  inventory: Awaited<ReturnType<typeof takeInventory>>,
  provider: ReturnType<typeof createCommandProvider>,
  scenario: Scenario,
): Opening => ({
  audit: sample.AUDIT,
  root: { name: 'simulated', inventory: 'git' },
  inputDigest: inventory.inputDigest,
  files: inventory.files.length,
  settings: sample.settings({
    provider: 'command',
    accounts: [provider.account],
    lenses: ['security', 'correctness'],
    limits: {
      attemptsMax: scenario.attemptsMax,
      wallMs: 60_000,
      idleMs: 30_000,
      outputBytesMax: 1000,
    },
  }),
  tool: { name: 'casefile', version: '0.1.0' },
  schema: { log: 1, answer: ANSWER_VERSION },
});

const briefOf = (disk: SimulatedDisk, launch: Launch): PacketBrief => {
  const bytes = disk.peek(launch.environment['CASEFILE_PACKET'] ?? '');
  if (bytes === undefined) throw new Violation('a worker is started without its packet file');
  return packetBrief.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
};

const workOf = (
  behaviour: Behaviour | Writes,
  brief: PacketBrief,
  scenario: Scenario,
  now: number,
): SimulatedWork => {
  const answer = (tasks = brief.tasks): Uint8Array =>
    Buffer.from(JSON.stringify(answerTo(brief, tasks, scenario.files)));
  const signal = Buffer.from(
    JSON.stringify({
      limit: { kind: 'rate', resetAt: new Date(now + RESET_AFTER_MS).toISOString() },
    }),
  );
  const exits = (exitCode: number) => ({ kind: 'exits', exitCode }) as const;
  if (typeof behaviour === 'function') {
    return { durationMs: 1000, answer: behaviour(brief), then: exits(0) };
  }
  switch (behaviour) {
    case 'answers':
      return { durationMs: 1000, answer: answer(), then: exits(0) };
    case 'answers-slowly':
      return { durationMs: 20_000, answer: answer(), then: exits(0) };
    case 'answers-one-task':
      return { durationMs: 2000, answer: answer(brief.tasks.slice(0, 1)), then: exits(0) };
    case 'answers-and-hits-limit':
      return { durationMs: 1500, answer: answer(), signal, then: exits(75) };
    case 'crashes':
      return { durationMs: 500, then: exits(1) };
    case 'hangs':
      return { durationMs: 1_000_000, then: { kind: 'hangs' }, isSilent: true };
    case 'garbage':
      return { durationMs: 700, answer: Buffer.from('I looked at it, all fine!'), then: exits(0) };
    case 'limited':
      return { durationMs: 300, signal, then: exits(75) };
  }
};

/** An agent that knows what is wrong: each line with `eval` under security, and nothing else. */
const answerTo = (
  brief: PacketBrief,
  tasks: PacketBrief['tasks'],
  files: Readonly<Record<string, string>>,
): Answer => ({
  packet: brief.packet,
  results: tasks.map((task) => {
    const findings = task.files.flatMap(({ path }) =>
      (files[path] ?? '').split('\n').flatMap((text, index) =>
        task.lens === 'security' && text.includes('eval')
          ? [
              {
                title: 'Evaluates text as code',
                category: 'code-injection',
                severity: 'high' as const,
                confidence: 'high' as const,
                path,
                line: index + 1,
                quote: text.trim(),
                explanation: 'What is evaluated comes from outside.',
              },
            ]
          : [],
      ),
    );
    return findings.length === 0
      ? { task: task.id, verdict: 'clean' as const }
      : { task: task.id, verdict: 'findings' as const, findings };
  }),
});

/** The oracle: it knows nothing of the core, only what was published and what was started. */
const createWitness = (scenario: Scenario) => {
  const told = new Map<number, string>();
  const markers = new Set<string>();
  let coolUntil = 0;
  let lastTold = 0;
  return {
    told,
    published: (commit: Commit): void => {
      told.set(commit.seq, JSON.stringify(commit.events));
      lastTold = Math.max(lastTold, lastNumberOf(commit));
      for (const event of commit.events) {
        if (event.type === 'AttemptEnded' && event.end.kind === 'limited') {
          coolUntil = Math.max(coolUntil, event.end.resetAt ?? 0);
        }
      }
    },
    launched: (marker: string, at: number, running: number): void => {
      if (markers.has(marker)) throw new Violation(`A2: ${marker} was started twice`);
      markers.add(marker);
      const token = Number(marker.split(':')[1]);
      if (token > lastTold) throw new Violation(`C1: attempt ${token} runs before it was durable`);
      if (at < coolUntil)
        throw new Violation(`a start ${coolUntil - at} ms before the limit is over`);
      if (running >= scenario.ceiling) throw new Violation(`${running + 1} run at once`);
    },
  };
};

/** What is left at the end, held against what was told on the way. */
const finalOf = async (
  disk: SimulatedDisk,
  witness: ReturnType<typeof createWitness>,
): Promise<Pick<Outcome, 'findings' | 'report' | 'how' | 'commits'>> => {
  const { commits } = await readLog({ disk, directory: FILES.directory });
  const written = new Map(commits.map((commit) => [commit.seq, JSON.stringify(commit.events)]));
  for (const [seq, events] of witness.told) {
    if (written.get(seq) !== events)
      throw new Violation(`C1: event ${seq} was told and is not in the log`);
  }
  const accepted = commits.flatMap(({ events }) =>
    events.filter(
      (event): event is AuditEventOf<'ResultAccepted'> => event.type === 'ResultAccepted',
    ),
  );
  if (new Set(accepted.map(({ task }) => task)).size !== accepted.length) {
    throw new Violation('a task was accepted twice');
  }
  const report = disk.peek(`${FILES.reports}/findings.json`);
  if (report === undefined) throw new Violation('a complete audit has no report');
  const whole = JSON.parse(Buffer.from(report).toString('utf8')) as {
    readonly findings: unknown;
    readonly how: string;
  };
  const { findings, how } = whole;
  return { findings: JSON.stringify(findings), report: whole, how, commits };
};

/** Where a life can be cut: before each operation that changes the disk, and at each outside step. */
export const cutPoints = (
  { operations, steps }: Outcome,
  life: number,
): { readonly kind: 'disk' | 'step'; readonly at: number }[] => [
  ...(operations[life] ?? [])
    .filter(({ changes }) => changes)
    .map(({ ordinal }) => ({ kind: 'disk' as const, at: ordinal })),
  ...Array.from({ length: steps[life] ?? 0 }, (_, index) => ({
    kind: 'step' as const,
    at: index + 1,
  })),
];

/** Random cuts of several lives in a row. */
export const drawCuts = (seed: number, operationsMax: number): Cut[] => {
  const random = createSeededRandom(seed);
  return Array.from({ length: 1 + random.below(3) }, (): Cut => {
    const end: End = random.oneIn(2)
      ? { kind: 'kill' }
      : { kind: 'power', seed: random.below(2 ** 30) };
    const operation = 1 + random.below(operationsMax);
    if (random.oneIn(4))
      return { kind: 'fault', operation, code: random.oneIn(2) ? 'EIO' : 'ENOSPC' };
    if (random.oneIn(4)) return { kind: 'step', step: 1 + random.below(40), end };
    return { kind: 'disk', operation, end };
  });
};
