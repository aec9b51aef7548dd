import type { AttemptEnd } from '../domain/attempt-end.ts';
import type { AttemptReport } from '../domain/commands.ts';
import type { Effect } from '../domain/effects.ts';
import type { BlobRef, PacketId } from '../domain/ids.ts';
import type { Lead } from '../domain/finding.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import type { ProviderId } from '../domain/vocabulary.ts';
import type { AuditState, QuestionRecord } from '../decider/state.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import { briefOf } from '../pipeline/packets.ts';
import type { FileOf } from '../pipeline/review-facts.ts';
import { withOperatorWords } from '../pipeline/prompt.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import type { Provider, ProviderReport } from '../providers/provider.ts';
import { required } from '../std/assert.ts';
import { printable } from '../std/printable.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { Artifacts } from './artifacts.ts';
import { plannedTaskOf } from './planned-task.ts';

export type AttemptParts = {
  readonly artifacts: Artifacts;
  readonly blobs: BlobStore;
  readonly providerOf: (id: ProviderId) => Provider;
  readonly tree: (state: AuditState) => Promise<FrozenTree>;
  /** Absolute scratch folder of an attempt. */
  readonly scratchOf: (token: number) => string;
};

type AttemptEffect = Extract<Effect, { type: 'RunAttempt' | 'StopAttempt' }>;

/** Runs one attempt with its provider and keeps what came back as blobs, whatever it is (M4). */
export const createAttemptPerformer = (parts: AttemptParts) => {
  const { artifacts, blobs } = parts;
  const leadsByPath = createLeadIndex(artifacts);
  return async (
    effect: AttemptEffect,
    state: AuditState,
    stop: AbortSignal,
  ): Promise<AttemptReport> => {
    const brief = {
      ...(await packetBrief(state, effect.packet, artifacts)),
      ...operatorWords(state, ({ usedBy }) => usedBy === effect.token),
    };
    const paths = new Set(brief.tasks.flatMap(({ files }) => files.map(({ path }) => path)));
    const leads = await leadsByPath(state);
    const report = await parts.providerOf(effect.provider).run(
      {
        audit: required(state.opened, 'I4: an audit is open').audit,
        token: effect.token,
        brief,
        prompt: withOperatorWords(
          Buffer.from(await blobs.get(effect.prompt.digest)).toString('utf8'),
          brief,
        ),
        limits: required(state.settings, 'I4: an audit has settings').limits,
        leads: [...paths].flatMap((path) => leads.get(path) ?? []),
        tree: await parts.tree(state),
        scratch: parts.scratchOf(effect.token),
      },
      stop,
    );
    return keep(report, blobs);
  };
};

/** What the operator answered to questions that are chosen, the oldest first. */
export const operatorWords = (
  state: AuditState,
  isFor: (asked: QuestionRecord) => boolean,
): Pick<PacketBrief, 'operator'> => {
  const operator = [...state.questions.values()]
    .filter((asked) => isFor(asked))
    .flatMap(({ text, value }) => (value === undefined ? [] : [{ question: text, value }]));
  return operator.length === 0 ? {} : { operator };
};

/** What a packet asks, as workers and the judgement read it. */
export const packetBrief = async (
  state: AuditState,
  id: PacketId,
  artifacts: Artifacts,
): Promise<PacketBrief> => {
  const { spec } = required(state.packets.get(id), 'I2: a packet is planned before it runs');
  const tasks = spec.tasks.map((task) =>
    required(state.tasks.get(task), 'I2: the tasks of a packet are planned'),
  );
  return briefOf(
    spec,
    spec.prompt.digest,
    tasks.map(plannedTaskOf),
    await inventoryIndex(state, artifacts),
  );
};

const indexes = new WeakMap<readonly InventoryFile[], ReadonlyMap<string, InventoryFile>>();

/** The inventory's files by path; made once for an inventory. */
export const inventoryIndex = async (state: AuditState, artifacts: Artifacts): Promise<FileOf> => {
  const { files } = await artifacts.get(state, 'inventory');
  let index = indexes.get(files);
  if (index === undefined) {
    index = new Map(files.map((file) => [file.path, file]));
    indexes.set(files, index);
  }
  return (path) => index.get(path);
};

const createLeadIndex = (artifacts: Artifacts) => {
  let indexed: { readonly of: string; readonly index: Map<string, Lead[]> } | undefined;
  return async (state: AuditState): Promise<ReadonlyMap<string, readonly Lead[]>> => {
    const of = state.obligations.get('enrichment')?.artifact?.digest ?? '';
    if (indexed?.of !== of) {
      const index = new Map<string, Lead[]>();
      for (const lead of (await artifacts.find(state, 'enrichment'))?.leads ?? []) {
        const leads = index.get(lead.place.path);
        if (leads === undefined) index.set(lead.place.path, [lead]);
        else leads.push(lead);
      }
      indexed = { of, index };
    }
    return indexed.index;
  };
};

const keep = async (report: ProviderReport, blobs: BlobStore): Promise<AttemptReport> => {
  const kept = async (bytes: Uint8Array | undefined): Promise<BlobRef | undefined> =>
    bytes === undefined || bytes.length === 0 ? undefined : blobs.put(bytes);
  const [answer, stdout, stderr] = await Promise.all([
    kept(report.answer),
    kept(report.stdout),
    kept(report.stderr),
  ]);
  return {
    end: answer === undefined ? withLastWords(report) : report.end,
    ...(answer && { answer }),
    ...(stdout && { stdout }),
    ...(stderr && { stderr }),
    ...(report.usage && { usage: report.usage }),
  };
};

const LAST_WORDS_MAX = 200;

/** The last line on stderr says most often why an attempt failed: people should not have to dig. */
const withLastWords = ({ end, stderr }: ProviderReport): AttemptEnd => {
  if (end.kind !== 'exited' && end.kind !== 'crashed' && end.kind !== 'timed-out') return end;
  if (end.message !== undefined || stderr === undefined) return end;
  const lines = Buffer.from(stderr)
    .toString('utf8')
    .split(/\r\n|\r|\n/);
  const last = lines.findLast((line) => line.trim() !== '' && !NODE_TRAILER.test(line));
  return last === undefined ? end : { ...end, message: printable(last.trim(), LAST_WORDS_MAX) };
};

/** Node ends each crash with its version, and stack frames stand above it. */
const NODE_TRAILER =
  /^(Node\.js v\d|\s+at |\s*[{}]\s*$|\s+(code|requireStack|errno|syscall|path|url): )/;
