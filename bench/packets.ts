import { hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Answer } from '../src/domain/answer.ts';
import type { Commit } from '../src/domain/commit.ts';
import type { AccountId, AuditId, Digest } from '../src/domain/ids.ts';
import type { PacketBrief } from '../src/domain/packet-brief.ts';
import type { Lens } from '../src/domain/vocabulary.ts';
import { auditFiles } from '../src/engine/audit-files.ts';
import { openSession, type Opening } from '../src/engine/session.ts';
import { deriveInventory, type Inventory, type InventoryFile } from '../src/pipeline/inventory.ts';
import { createSystemClock } from '../src/platform/clock.ts';
import { createNodeDisk } from '../src/platform/node-disk.ts';
import type { FrozenTree } from '../src/platform/source-tree.ts';
import type { Provider } from '../src/providers/provider.ts';
import { EVENTS_FOLDER } from '../src/store/segments.ts';
import { createStateView } from '../src/store/state-view.ts';
import { collectGarbage, inNewFolder, median } from './measure.ts';

/** What packets cost once the plan stands, from the first start to the last judgement. */
export type PacketCost = {
  readonly cpuMsPerPacket: number;
  /** The log's growth, and the state view's file once for each commit. */
  readonly bytesPerResult: number;
};

/**
 * A whole engine over the real disk, with answers from this process: one task a packet, one file a
 * task, one finding in each. Of a large plan the first packets are measured.
 */
const measurePackets = (tasks: number, packetsMax = 200): Promise<PacketCost> =>
  inNewFolder(async (folder) => {
    const inventory = syntheticInventory(tasks);
    const disk = createNodeDisk();
    const clock = createSystemClock();
    const audit = '20261130T101400123Z-1f3c9a' as AuditId;
    const files = auditFiles(folder, audit);
    const meter = createMeter(join(files.directory, EVENTS_FOLDER));
    const session = await openSession(
      {
        disk,
        clock,
        files,
        epoch: 1,
        tool: '0.1.0',
        startsMax: Math.min(tasks, packetsMax),
        failOn: 'none',
        options: { wait: false, graceMs: 0 },
        providerOf: () => inProcess,
        source: tree,
        takeInventory: () => Promise.resolve(inventory),
        freeze: () => Promise.resolve({ tree, drifted: [], files: inventory.files.length }),
        enrich: () => Promise.resolve({ leads: [], analyzers: [], incomplete: [] }),
        onCommit: meter.onCommit,
        view: createStateView({ file: files.stateView, clock, onError: refuse }),
      },
      openingOf(audit, inventory),
    );
    await session.engine.run();
    const { cpuMs, commits, logBytes } = meter.read();
    await session.close();
    // At the most: it is written once a second, and agents take longer than that.
    const viewBytes = commits * (await stat(files.stateView)).size;
    const packets = session.engine.published().counts.tasks.accepted;
    if (packets !== Math.min(tasks, packetsMax)) throw new Error('A packet was not accepted.');
    return {
      cpuMsPerPacket: cpuMs / packets,
      bytesPerResult: (logBytes + viewBytes) / packets,
    };
  });

/** Medians over several audits of one size. */
export const medianPackets = async (tasks: number, rounds: number): Promise<PacketCost> => {
  const costs: PacketCost[] = [];
  for (let round = 0; round < rounds; round += 1) costs.push(await measurePackets(tasks));
  return {
    cpuMsPerPacket: median(costs.map(({ cpuMsPerPacket }) => cpuMsPerPacket)),
    bytesPerResult: median(costs.map(({ bytesPerResult }) => bytesPerResult)),
  };
};

const refuse = (error: unknown): never => {
  throw error;
};

/** Watches from the plan to the last judgement; the plan's own cost and garbage stay outside. */
const createMeter = (events: string) => {
  let before: { readonly cpu: NodeJS.CpuUsage; readonly logBytes: number } | undefined;
  let commits = 0;
  let read = { cpuMs: 0, commits: 0, logBytes: 0 };
  return {
    onCommit: (commit: Commit): void => {
      if (commit.events.some(isPlan)) {
        collectGarbage();
        before = { logBytes: sizeOf(events), cpu: process.cpuUsage() };
      } else if (before !== undefined) {
        commits += 1;
        if (!commit.events.some(({ type }) => type === 'IngestionFinished')) return;
        const { user, system } = process.cpuUsage(before.cpu);
        const logBytes = sizeOf(events) - before.logBytes;
        read = { cpuMs: (user + system) / 1000, commits, logBytes };
      }
    },
    read: () => read,
  };
};

const isPlan = (event: Commit['events'][number]): boolean =>
  event.type === 'ArtifactDerived' && event.obligation === 'planning';

const sizeOf = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

const LENS: Lens = 'correctness';
const QUOTE = 'export const total = items.reduce((sum, item) => sum + item.price, 0);';
/** So large that each file is a packet of its own. */
const TEXT = `${QUOTE}\n${`// ${'x'.repeat(77)}\n`.repeat(1000)}`;
const BYTES = Buffer.from(TEXT);
const DIGEST = hash('sha256', BYTES) as Digest;

const tree: FrozenTree = { folder: undefined, read: () => Promise.resolve(BYTES) };

const syntheticInventory = (count: number): Inventory =>
  deriveInventory(
    Array.from({ length: count }, (_, index): InventoryFile => ({
      path: `packages/part-${index % 50}/src/file-${index}.ts`,
      kind: 'file',
      tracked: true,
      size: BYTES.length,
      lines: 1001,
      encoding: 'text',
      language: 'TypeScript',
      marks: [],
      digest: DIGEST,
    })),
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
