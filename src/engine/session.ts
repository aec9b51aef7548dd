import type { Commit, LogPosition } from '../domain/commit.ts';
import type { TaskVerdict } from '../domain/commands.ts';
import type { AuditEventOf, InputKind } from '../domain/events.ts';
import type { BlobRef, PacketId } from '../domain/ids.ts';
import type { GateSeverity, Lens, ProviderId } from '../domain/vocabulary.ts';
import { refusalOf } from '../decider/decide-judged.ts';
import { evolveCommit } from '../decider/evolve.ts';
import { initialState, type AuditState } from '../decider/state.ts';
import { statusOf } from '../decider/status.ts';
import { packetBudgetFor, type PacketBudget } from '../pipeline/packet-budget.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import type { Clock } from '../platform/clock.ts';
import type { Disk } from '../platform/disk.ts';
import type { FrozenCopy } from '../platform/frozen-tree.ts';
import type { FrozenTree, SourceTree } from '../platform/source-tree.ts';
import type { Spend } from '../projections/spend.ts';
import type { Provider } from '../providers/provider.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';
import { openFileEventStore } from '../store/file-event-store.ts';
import { scanLog } from '../store/log-scan.ts';
import type { Recovered } from '../store/recovery.ts';
import type { StateView } from '../store/state-view.ts';
import { createArtifacts } from './artifacts.ts';
import { createAttemptPerformer, inventoryIndex } from './attempts.ts';
import type { AuditFiles } from './audit-files.ts';
import { createEngine, type Engine, type EngineOptions, type Reply } from './engine.ts';
import { createInputOpener } from './inputs.ts';
import { createJudge } from './judging.ts';
import {
  createReportFold,
  renderReport,
  sweepReports,
  writeReport,
  type Report,
  type ReportPaths,
} from './reporting.ts';
import { verifiedTree } from './verified-tree.ts';
import { createStageRunner, type EarlierResultsOf, type StageParts } from './stages.ts';
import { required } from '../std/assert.ts';

/** What one process brings to an audit. */
export type SessionParts = {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly files: AuditFiles;
  readonly epoch: number;
  readonly tool: string;
  readonly startsMax?: number | undefined;
  readonly packetsMax?: number | undefined;
  readonly failOn: GateSeverity;
  readonly options: EngineOptions;
  readonly providerOf: (id: ProviderId) => Provider;
  readonly takeInventory: () => Promise<Inventory>;
  /** The audited tree, for what the copy has lost. */
  readonly source: Pick<SourceTree, 'read'>;
  readonly freeze: (inventory: Inventory) => Promise<FrozenCopy>;
  readonly enrich: StageParts['enrich'];
  readonly runCommands?: StageParts['runCommands'];
  readonly readHistory?: StageParts['readHistory'];
  readonly cache?: StageParts['cache'];
  /** What earlier audits of this place say of tasks. */
  readonly earlierResults?: EarlierResultsOf | undefined;
  /** Whether another audit of this place planned a packet. */
  readonly isOfEarlierAudit?: (packet: string) => Promise<boolean>;
  readonly segmentBytesMax?: number;
  readonly packetBudget?: PacketBudget;
  readonly onCommit?: (commit: Commit, state: AuditState) => void;
  /** `state.json`, for people and other tools. */
  readonly view: StateView;
};

/** How an audit begins; the rest of `AuditOpened` is the session's. */
export type Opening = Omit<AuditEventOf<'AuditOpened'>, 'type' | 'at'>;

export type Session = {
  readonly engine: Engine;
  readonly recovered: Recovered;
  /** What the audit has cost so far. */
  readonly spend: Spend;
  /** Renders the report of what is durable, and writes it where it differs. */
  readonly report: () => Promise<{ readonly report: Report; readonly paths: ReportPaths }>;
  /** Keeps what was handed in from outside, and tells the audit of it. */
  readonly receive: (input: {
    readonly kind: InputKind;
    readonly name: string;
    readonly bytes: Uint8Array;
    readonly packet?: PacketId | undefined;
  }) => Promise<Reply>;
  /** What an answer comes to that came too late to count, as a complete audit gets them. */
  readonly judgeLate: (packet: PacketId, answer: BlobRef) => Promise<readonly Refusal[]>;
  readonly close: () => Promise<void>;
};

export type Refusal = Omit<Extract<TaskVerdict, { kind: 'rejected' }>, 'kind'>;

/**
 * Opens the log of an audit for its owner, folds it and hands it to an engine. The epoch has been
 * claimed before, so what is read here is what the owner decides on (W1). `WriterOpened` is durable
 * when this resolves (W4).
 *
 * @param opening to begin an audit whose log is still empty; otherwise the log must hold one.
 */
export const openSession = async (parts: SessionParts, opening?: Opening): Promise<Session> => {
  const { disk, clock, files } = parts;
  const state = initialState();
  const fold = createReportFold();
  const store = await openFileEventStore({
    disk,
    directory: files.directory,
    epoch: parts.epoch,
    mode: opening === undefined ? 'existing' : 'create',
    ...(parts.segmentBytesMax !== undefined && { segmentBytesMax: parts.segmentBytesMax }),
    visit: (commit) => {
      evolveCommit(state, commit);
      fold.add(commit);
    },
  });
  const blobs = createFileBlobStore({ disk, directory: files.directory });
  const artifacts = createArtifacts(blobs);
  const position: { complete?: LogPosition } = {};
  if (state.completed !== undefined) {
    // What comes late never changes the report, nor the line of the log that it names.
    const until = state.completed.number;
    position.complete = (await scanLog({ disk, directory: files.directory, until })).position;
  }
  const frozen = createFrozen(parts, artifacts);

  const report: Session['report'] = async () => {
    const rendered = await renderReport({
      state: engine.published(),
      spend: fold.spend,
      position: position.complete ?? engine.position(),
      artifacts,
      blobs,
      failOn: parts.failOn,
    });
    const paths = await writeReport(disk, files.reports, rendered);
    await sweepReports(disk, files.reports);
    return { report: rendered, paths };
  };

  const judge = createJudge({ artifacts, blobs, tree: frozen });
  const engine = createEngine(
    {
      store,
      clock,
      epoch: parts.epoch,
      state,
      performer: {
        derive: createStageRunner({
          artifacts,
          blobs,
          takeInventory: parts.takeInventory,
          freeze: parts.freeze,
          enrich: parts.enrich,
          runCommands: parts.runCommands,
          readHistory: parts.readHistory,
          cache: parts.cache,
          packetBudget: () => packetBudgetOf(parts, state),
          covers: (file, lens) => covers(parts, state, file, lens),
          earlierResults: parts.earlierResults,
          verifiedTree: frozen,
        }),
        attempt: createAttemptPerformer({
          artifacts,
          blobs,
          providerOf: parts.providerOf,
          tree: frozen,
          scratchOf: files.scratchOf,
        }),
        openInput: createInputOpener({
          blobs,
          isOfEarlierAudit: parts.isOfEarlierAudit ?? (async () => false),
        }),
        judge,
        report: async () => {
          await report();
        },
      },
      onPublished: (commit, published, reached) => {
        fold.add(commit);
        if (commit.events.some(({ type }) => type === 'AuditCompleted')) {
          position.complete = reached;
        }
        parts.view.update(() => statusOf(published));
        parts.onCommit?.(commit, published);
      },
    },
    parts.options,
  );

  if (opening !== undefined) await engine.submit({ type: 'OpenAudit', ...opening });
  await engine.submit({
    type: 'OpenWriter',
    epoch: parts.epoch,
    tool: parts.tool,
    ...(parts.startsMax !== undefined && { startsMax: parts.startsMax }),
    ...(parts.packetsMax !== undefined && { packetsMax: parts.packetsMax }),
  });
  return {
    engine,
    recovered: store.recovered,
    spend: fold.spend,
    report,
    receive: async ({ kind, name, bytes, packet }) =>
      engine.submit({
        type: 'ReceiveInput',
        kind,
        name,
        content: await blobs.put(bytes),
        ...(packet !== undefined && { packet }),
      }),
    judgeLate: async (packet, given) => {
      const late = engine.published();
      const { verdicts } = await judge({ packet, answer: given, provider: 'handoff' }, late);
      return verdicts.map((verdict): Refusal => ({
        ...(verdict.task !== undefined && { task: verdict.task }),
        ...required(refusalOf(late, verdict), 'A3: nothing counts in a complete audit'),
      }));
    },
    close: async () => {
      await engine.close();
      await parts.view.flush();
    },
  };
};

/** What the audit's provider can take at once. */
const packetBudgetOf = (parts: SessionParts, state: AuditState): PacketBudget => {
  const { provider, reviewer } = required(state.settings, 'I4: an audit has settings');
  return parts.packetBudget ?? packetBudgetFor(reviewer, parts.providerOf(provider).contextTokens);
};

const covers = (
  parts: SessionParts,
  state: AuditState,
  file: { readonly language: string },
  lens: Lens,
): boolean => {
  const provider = state.settings?.provider;
  return provider !== undefined && parts.providerOf(provider).covers(file, lens);
};

/** The copy of an audit's files, opened or made again when something needs it. */
const createFrozen =
  (parts: SessionParts, artifacts: ReturnType<typeof createArtifacts>) =>
  async (state: AuditState): Promise<FrozenTree> => {
    const { tree } = await parts.freeze(await artifacts.get(state, 'inventory'));
    return verifiedTree(tree, parts.source, await inventoryIndex(state, artifacts));
  };
