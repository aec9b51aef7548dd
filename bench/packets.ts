import { readdir, stat } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Answer } from '../src/domain/answer.ts';
import type { Commit } from '../src/domain/commit.ts';
import type { AccountId, AuditId, Digest } from '../src/domain/ids.ts';
import type { PacketBrief } from '../src/domain/packet-brief.ts';
import type { Lens } from '../src/domain/vocabulary.ts';
import { statusOf } from '../src/decider/status.ts';
import type { AuditState } from '../src/decider/state.ts';
import { auditFiles } from '../src/engine/audit-files.ts';
import { openSession, type Opening } from '../src/engine/session.ts';
import { deriveInventory, type Inventory, type InventoryFile } from '../src/pipeline/inventory.ts';
import { createSystemClock } from '../src/platform/clock.ts';
import { createNodeDisk } from '../src/platform/node-disk.ts';
import type { FrozenTree } from '../src/platform/source-tree.ts';
import type { Provider } from '../src/providers/provider.ts';
import { EVENTS_FOLDER } from '../src/store/segments.ts';
import { collectGarbage, inNewFolder } from './measure.ts';

/** What packets cost once the plan stands, from the first start to the last judgement. */
export type PacketCost = {
  readonly tasks: number;
  /** Packets that were measured: the plan's first ones. */
  readonly packets: number;
  readonly cpuMsPerPacket: number;
  /** The log's growth and the state view's file at each commit, over results that were accepted. */
  readonly bytesPerResult: number;
};

/**
 * A whole engine over the real disk, with answers from this process: one finding in each packet, one
 * task a packet, files of their own.
 */
export const measurePackets = (tasks: number, packetsMax = 300): Promise<PacketCost> =>
  inNewFolder(async (folder) => {
    const inventory = syntheticInventory(tasks);
    const disk = createNodeDisk();
    const audit = '20261130T101400123Z-1f3c9a' as AuditId;
    const files = auditFiles(folder, audit);
    const meter = createMeter(join(files.directory, EVENTS_FOLDER));
    const session = await openSession(
      {
        disk,
        clock: createSystemClock(),
        files,
        epoch: 1,
        tool: '0.1.0',
        startsMax: Math.min(tasks, packetsMax),
        failOn: 'none',
        options: { wait: false, graceMs: 0 },
        providerOf: () => inProcess,
        takeInventory: () => Promise.resolve(inventory),
        freeze: () => Promise.resolve({ tree, drifted: [], files: inventory.files.length }),
        enrich: () => Promise.resolve({ leads: [], analyzers: [], incomplete: [] }),
        onCommit: meter.onCommit,
      },
      openingOf(audit, inventory),
    );
    // The plan first, so that none of its cost and none of its garbage is counted.
    await session.engine.run();
    const { cpuMs, bytes, results, attempts } = await meter.read();
    await session.close();
    if (session.engine.published().counts.tasks.accepted !== attempts) {
      throw new Error('Not every packet was accepted.');
    }
    return {
      tasks,
      packets: attempts,
      cpuMsPerPacket: cpuMs / attempts,
      bytesPerResult: bytes / results,
    };
  });

/** Sees each commit after its sync. */
const createMeter = (events: string) => {
  let before: NodeJS.CpuUsage | undefined;
  let cpuMs = 0;
  let logBefore: Promise<number> | undefined;
  let viewBytes = 0;
  let results = 0;
  let attempts = 0;
  return {
    onCommit: (commit: Commit, state: AuditState): void => {
      if (commit.events.some((event) => isPlan(event))) {
        logBefore = sizeOf(events);
        collectGarbage();
        before = process.cpuUsage();
      }
      if (before === undefined) return;
      for (const { type } of commit.events) {
        if (type === 'ResultAccepted') results += 1;
        if (type === 'AttemptEnded') attempts += 1;
        if (type !== 'IngestionFinished') continue;
        const { user, system } = process.cpuUsage(before);
        cpuMs = (user + system) / 1000;
      }
      // At the most: it is written once a second, and agents take longer than that.
      viewBytes += Buffer.byteLength(JSON.stringify(statusOf(state), undefined, 2));
    },
    read: async () => ({
      cpuMs,
      bytes: (await sizeOf(events)) - ((await logBefore) ?? 0) + viewBytes,
      results,
      attempts,
    }),
  };
};

const isPlan = (event: Commit['events'][number]): boolean =>
  event.type === 'ArtifactDerived' && event.obligation === 'planning';

const sizeOf = async (folder: string): Promise<number> => {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
};

const LENS: Lens = 'correctness';
const QUOTE = 'export const total = items.reduce((sum, item) => sum + item.price, 0);';
/** So large that each file is a packet of its own. */
const TEXT = `${QUOTE}\n${`// ${'x'.repeat(77)}\n`.repeat(1000)}`;
const BYTES = Buffer.from(TEXT);
const DIGEST = hash('sha256', BYTES) as Digest;

const tree: FrozenTree = { folder: undefined, read: () => Promise.resolve(BYTES) };

const syntheticInventory = (count: number): Inventory =>
  deriveInventory(
    Array.from(
      { length: count },
      (_, index): InventoryFile => ({
        path: `packages/part-${index % 50}/src/file-${index}.ts`,
        kind: 'file',
        tracked: true,
        size: BYTES.length,
        lines: 1001,
        encoding: 'text',
        language: 'TypeScript',
        marks: [],
        digest: DIGEST,
      }),
    ),
    { inventory: 'git' },
  );

const inProcess: Provider = {
  id: 'scripted',
  reviewer: 'agent',
  account: { id: 'agent' as AccountId, ceiling: 4, source: 'declared' },
  lenses: [LENS],
  covers: () => true,
  run: ({ brief }) =>
    Promise.resolve({
      end: { kind: 'exited' },
      answer: Buffer.from(JSON.stringify(answerTo(brief))),
      usage: { inputTokens: 12_000, outputTokens: 800, costUsd: 0.05 },
    }),
};

const answerTo = ({ packet, tasks }: PacketBrief): Answer => ({
  packet,
  results: tasks.map(({ id, files }) => ({
    task: id,
    verdict: 'findings',
    findings: [
      {
        title: 'The total is wrong when an item has no price',
        category: 'missing-check',
        severity: 'medium',
        confidence: 'high',
        path: files[0]?.path ?? '',
        line: 1,
        quote: QUOTE,
        explanation: 'An item without a price makes the whole sum NaN.',
      },
    ],
  })),
});

const openingOf = (audit: AuditId, inventory: Inventory): Opening => ({
  audit,
  root: { name: 'synthetic', inventory: 'git' },
  inputDigest: inventory.inputDigest,
  files: inventory.files.length,
  settings: {
    provider: inProcess.id,
    reviewer: inProcess.reviewer,
    accounts: [inProcess.account],
    lenses: [LENS],
    include: [],
    exclude: [],
    limits: { attemptsMax: 3, wallMs: 600_000, idleMs: 60_000, outputBytesMax: 1_000_000 },
    failOn: 'none',
    consent: [],
  },
  tool: { name: 'casefile', version: '0.1.0' },
  schema: { log: 1, answer: 1 },
});
