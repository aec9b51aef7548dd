import type { Lens } from '../domain/vocabulary.ts';
import type { Effect } from '../domain/effects.ts';
import type { AuditState } from '../decider/state.ts';
import { readModules } from '../analyzers/read-tree.ts';
import { deriveDesignAssessment } from '../pipeline/design-assessment.ts';
import { deriveDisposition, type Disposition } from '../pipeline/disposition.ts';
import { createAnalyzerCoverage, type Enrichment } from '../pipeline/enrichment.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import type { PacketBudget } from '../pipeline/packets.ts';
import { planReview } from '../pipeline/planning.ts';
import { deriveStructure, type Structure } from '../pipeline/structure.ts';
import type { FrozenCopy } from '../platform/frozen-tree.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { assert, required } from '../std/assert.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { messageOf } from '../std/message-of.ts';
import type { Artifacts } from './artifacts.ts';
import type { StageReport } from './performer.ts';
import { synthesizeState } from './synthesis.ts';

export type StageParts = {
  readonly artifacts: Artifacts;
  readonly blobs: BlobStore;
  /** What the audit was opened over, already read. */
  readonly takeInventory: () => Promise<Inventory>;
  /** The copy outside of the tree, made when it is first asked for. */
  readonly freeze: (inventory: Inventory) => Promise<FrozenCopy>;
  readonly enrich: (
    given: {
      readonly tree: FrozenTree;
      readonly inventory: Inventory;
      readonly disposition: Disposition;
      readonly structure: Structure;
    },
    stop: AbortSignal,
  ) => Promise<Enrichment>;
  readonly packetBudget?: PacketBudget | undefined;
  readonly covers: (file: { readonly language: string }, lens: Lens) => boolean;
};

type DeriveStage = Extract<Effect, { type: 'DeriveStage' }>;

/**
 * Runs one stage: reads what earlier ones derived, calls the pure function behind the stage, keeps
 * what it gives. What the disk or a program does to it becomes a failure with a remedy, never a
 * half-made artifact.
 */
export const createStageRunner = (parts: StageParts) => {
  const runners = createRunners(parts);
  return async (
    { stage }: DeriveStage,
    state: AuditState,
    stop: AbortSignal,
  ): Promise<StageReport> => {
    try {
      return await runners[stage](state, stop);
    } catch (error) {
      if (isOurFault(error)) throw error;
      return {
        kind: 'failed',
        message: `The stage "${stage}" failed: ${messageOf(error)}`,
        remedy: 'Mend the cause and run again; nothing that was done before is lost.',
      };
    }
  };
};

/** A broken invariant ends the process; what the world does to a stage does not. */
const isOurFault = (error: unknown): boolean =>
  error instanceof Error && error.name === 'InvariantViolation';

const createRunners = (parts: StageParts): Record<DeriveStage['stage'], StageRunner> => {
  const { artifacts, blobs } = parts;
  const derived = async (value: unknown, more: object = {}): Promise<StageReport> => ({
    kind: 'derived',
    artifact: await artifacts.put(value),
    ...more,
  });
  return {
    inventory: async (state) => {
      const inventory = await parts.takeInventory();
      const expected = state.opened?.inputDigest;
      assert(
        inventory.inputDigest === expected,
        'the inventory is the one that the audit was opened over',
      );
      return derived(inventory);
    },
    disposition: async (state) =>
      derived(deriveDisposition(await artifacts.get(state, 'inventory'), settingsOf(state))),
    structure: async (state) => {
      const inventory = await artifacts.get(state, 'inventory');
      const disposition = await artifacts.get(state, 'disposition');
      const copy = await parts.freeze(inventory);
      const { modules } = await readModules(copy.tree, inventory, disposition);
      return derived(deriveStructure({ inventory, disposition, modules }), {
        drifted: copy.drifted,
      });
    },
    enrichment: async (state, stop) => {
      const inventory = await artifacts.get(state, 'inventory');
      const disposition = await artifacts.get(state, 'disposition');
      const structure = await artifacts.get(state, 'structure');
      const { tree } = await parts.freeze(inventory);
      const enriched = await parts.enrich({ tree, inventory, disposition, structure }, stop);
      return derived(enriched, { incomplete: enriched.incomplete });
    },
    designAssessment: async (state) =>
      derived(deriveDesignAssessment(await artifacts.get(state, 'structure'))),
    planning: async (state) => {
      const settings = settingsOf(state);
      const planned = planReview({
        inventory: await artifacts.get(state, 'inventory'),
        disposition: await artifacts.get(state, 'disposition'),
        structure: await artifacts.get(state, 'structure'),
        settings,
        covers: parts.covers,
        ...(parts.packetBudget && { packetBudget: parts.packetBudget }),
        ...(settings.reviewer === 'analyzers' && {
          didCheck: createAnalyzerCoverage(await artifacts.get(state, 'enrichment')),
        }),
      });
      const packets = await Promise.all(
        planned.packets.map(async ({ promptText, ...packet }) => ({
          ...packet,
          prompt: await blobs.put(Buffer.from(promptText)),
        })),
      );
      return derived(planned.artifact, { tasks: planned.tasks, packets });
    },
    synthesis: async (state) => derived(await synthesizeState(state, artifacts, blobs)),
    formatting: () => notAStage('formatting'),
    runtimeValidation: () => notAStage('runtimeValidation'),
  };
};

type StageRunner = (state: AuditState, stop: AbortSignal) => Promise<StageReport>;

/** The core waives these two by itself, in the same commit that would reach them. */
const notAStage = (name: string): Promise<StageReport> => {
  throw new Error(`${name} is waived and never planned`);
};

const settingsOf = (state: AuditState) => required(state.settings, 'I4: an audit has settings');
