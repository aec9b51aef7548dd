import type { AuditState } from '../decider/state.ts';
import type { TaskVerdict } from '../domain/commands.ts';
import type { Effect } from '../domain/effects.ts';
import type { PlannedPacket } from '../domain/events.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { Artifacts } from './artifacts.ts';

/** What judging an answer needs, and what it gives, whatever the packet asks. */
export type JudgeParts = {
  readonly artifacts: Artifacts;
  readonly blobs: BlobStore;
  readonly tree: (state: AuditState) => Promise<FrozenTree>;
};
export type Judged = {
  readonly verdicts: readonly TaskVerdict[];
  readonly remainder?: PlannedPacket;
};

export type JudgeAnswer = Pick<
  Extract<Effect, { type: 'JudgeAnswer' }>,
  'packet' | 'answer' | 'provider' | 'isWordless'
>;
