import type { Lens } from '../domain/vocabulary.ts';
import type { Effect } from '../domain/effects.ts';
import type { InheritedResult, PlannedTask } from '../domain/events.ts';
import type { TaskId } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import { heldAnalyzerResults } from '../decider/held-inputs.ts';
import type { AuditState } from '../decider/state.ts';
import { importReports } from '../analyzers/import-reports.ts';
import { readModules } from '../analyzers/read-tree.ts';
import { deriveDesignAssessment } from '../pipeline/design-assessment.ts';
import { deriveDisposition, type Disposition } from '../pipeline/disposition.ts';
import {
  createAnalyzerCoverage,
  createOtherCoverage,
  type Enrichment,
} from '../pipeline/enrichment.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import { textOf } from '../pipeline/content.ts';
import { planNarrative } from '../pipeline/narrative.ts';
import type { PacketBudget } from '../pipeline/packet-budget.ts';
import {
  filesToOutline,
  filesToSplit,
  prepareReview,
  type PlanningInput,
} from '../pipeline/planning.ts';
import { deriveHistory, NO_HISTORY, type History } from '../pipeline/shape/history.ts';
import { OWNER_FILES } from '../pipeline/shape/owners.ts';
import { deriveShape } from '../pipeline/shape/shape.ts';
import { deriveStructure, type Structure } from '../pipeline/structure.ts';
import type { ContentCache } from '../platform/content-cache.ts';
import type { FrozenCopy } from '../platform/frozen-tree.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { assert, required } from '../std/assert.ts';
import { messageOf } from '../std/message-of.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { ArtifactName, ArtifactOf, Artifacts } from './artifacts.ts';
import { inventoryIndex } from './attempts.ts';
import type { EarlierResult } from './earlier-results.ts';
import { deepen } from './deepening.ts';
import { inheritResults } from './inheritance.ts';
import type { StageReport } from './performer.ts';
import { leadsWithoutTask } from './leads-without-task.ts';
import { withPrompt } from './planned-packet.ts';
import { readPlanSources } from './plan-sources.ts';
import { redraftPackets } from './redraft-packets.ts';
import { validateByRunning, type RunCommands } from './runtime-validation.ts';
import { selectedPart } from './selected-part.ts';
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
      readonly isAsked?: ((path: string) => boolean) | undefined;
      /** Why nothing can be made of a lead in a file under a lens, if so. */
      readonly whyNotLens?: ((path: string, lens: Lens) => string | undefined) | undefined;
      /** What the operator has consented to. */
      readonly consent: readonly string[];
    },
    stop: AbortSignal,
  ) => Promise<Enrichment>;
  /** Runs the project's own commands of some kinds; without it, none is run. */
  readonly runCommands?: RunCommands | undefined;
  /** What a packet may come to for the audit's provider. */
  readonly packetBudget: () => PacketBudget;
  /** What was derived from the same contents before, in whatever audit. */
  readonly cache?: ContentCache | undefined;
  readonly covers: (file: { readonly language: string }, lens: Lens) => boolean;
  /** What earlier audits of this place say of tasks; without it, all are asked. */
  readonly earlierResults?: EarlierResultsOf | undefined;
  /** The frozen files, each as it was inventoried or not at all. */
  readonly verifiedTree: (state: AuditState) => Promise<FrozenTree>;
  /** The commits behind the inventory's one; without it, nothing is known of the past. */
  readonly readHistory?: ((commit: string | undefined) => Promise<CommitHistory>) | undefined;
};

/** Results of tasks that earlier audits have; see `readEarlierResults`. */
export type EarlierResultsOf = (
  wanted: ReadonlySet<TaskId>,
  settings: Settings,
) => Promise<ReadonlyMap<TaskId, EarlierResult>>;

type CommitHistory = Omit<Parameters<typeof deriveHistory>[0], 'files'>;

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
  const derived = async <Name extends ArtifactName>(
    name: Name,
    value: ArtifactOf<Name>,
    more: object = {},
  ): Promise<StageReport> => ({
    kind: 'derived',
    artifact: await artifacts.put(name, value),
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
      return derived('inventory', inventory);
    },
    disposition: async (state) =>
      derived(
        'disposition',
        deriveDisposition(await artifacts.get(state, 'inventory'), settingsOf(state)),
      ),
    structure: async (state) => {
      const inventory = await artifacts.get(state, 'inventory');
      const disposition = await artifacts.get(state, 'disposition');
      const copy = await parts.freeze(inventory);
      const { modules } = await readModules(copy.tree, inventory, disposition, parts.cache);
      const structure = deriveStructure({
        inventory,
        disposition,
        modules,
        deleted: settingsOf(state).selection?.deleted,
      });
      const shape = deriveShape({
        inventory,
        disposition,
        modules,
        edges: structure.edges,
        units: structure.units,
        history: await historyOf(parts, inventory),
        ownersText: await ownersText(copy.tree, inventory),
      });
      return derived('structure', { ...structure, shape }, { drifted: copy.drifted });
    },
    enrichment: async (state, stop) => {
      const inventory = await artifacts.get(state, 'inventory');
      const disposition = await artifacts.get(state, 'disposition');
      const structure = await artifacts.get(state, 'structure');
      const { tree } = await parts.freeze(inventory);
      const { selection } = settingsOf(state);
      const { whyNotSelected: whyNot } = selectedPart(selection, inventory, disposition, structure);
      const isAsked = whyNot && ((path: string): boolean => whyNot(path) === undefined);
      const settings = settingsOf(state);
      const covered = hasPlan(state) ? parts.covers : undefined;
      const whyNotLens = leadsWithoutTask(settings, covered, inventory);
      const { consent } = settings;
      const given = { tree, inventory, disposition, structure, isAsked, whyNotLens, consent };
      // What the analyzers said of these very files holds; only what was handed in since is added.
      const known =
        (await artifacts.find(state, 'enrichment')) ?? (await parts.enrich(given, stop));
      const held = heldAnalyzerResults(state);
      const reports = await Promise.all(
        held.map(async ({ name, content }) => ({ name, bytes: await blobs.get(content.digest) })),
      );
      const enriched = await importReports(known, reports, given);
      return derived('enrichment', enriched, {
        incomplete: enriched.incomplete,
        consumed: held.map(({ of }) => of),
      });
    },
    designAssessment: async (state) =>
      derived(
        'designAssessment',
        deriveDesignAssessment({
          inventory: await artifacts.get(state, 'inventory'),
          disposition: await artifacts.get(state, 'disposition'),
          structure: await artifacts.get(state, 'structure'),
          duplicates: (await artifacts.get(state, 'enrichment')).duplicates,
        }),
      ),
    planning: async (state) => {
      const before = hasPlan(state) ? await artifacts.find(state, 'planning') : undefined;
      if (before !== undefined) {
        return derived('planning', before, {
          packets: await redraftPackets(state, artifacts, blobs),
        });
      }
      const settings = settingsOf(state);
      const enriched = await artifacts.get(state, 'enrichment');
      const inventory = await artifacts.get(state, 'inventory');
      const disposition = await artifacts.get(state, 'disposition');
      const structure = await artifacts.get(state, 'structure');
      const input: PlanningInput = {
        inventory,
        disposition,
        structure,
        settings,
        ...selectedPart(settings.selection, inventory, disposition, structure),
        covers: parts.covers,
        packetBudget: parts.packetBudget(),
        ...(settings.reviewer === 'analyzers'
          ? coveredByAnalyzers(parts.covers, enriched)
          : {
              leads: enriched.leads,
              assessments: (await artifacts.get(state, 'designAssessment')).assessments,
            }),
      };
      const [toSplit, toOutline] = [filesToSplit(input), filesToOutline(input)];
      const isReading = toSplit.length > 0 || toOutline.length > 0;
      const sources = isReading
        ? await readPlanSources(
            (await parts.freeze(inventory)).tree,
            toSplit,
            toOutline,
            parts.cache,
          )
        : {};
      const review = prepareReview({ ...input, ...sources });
      const inherited = await inheritedOf(parts, state, review.whole.tasks);
      const left =
        inherited.size === 0 ? review.whole : review.withoutSettled(new Set(inherited.keys()));
      const tasks = left.tasks.map((task) => {
        const known = inherited.get(task.id);
        return known === undefined ? task : { ...task, inherited: known };
      });
      const packets = await Promise.all(left.packets.map((packet) => withPrompt(packet, blobs)));
      return derived('planning', left.artifact, { tasks, packets });
    },
    synthesis: async (state) => {
      const { synthesis, results } = await synthesizeState(state, artifacts, blobs);
      const { tasks, packets, end } = await deepen(state, synthesis, results, artifacts, (asked) =>
        inheritedOf(parts, state, asked),
      );
      // Told once there is nothing more to find out.
      const story =
        tasks.length > 0 || settingsOf(state).narrative !== true
          ? undefined
          : planNarrative(
              synthesis,
              settingsOf(state).lenses,
              await inventoryIndex(state, artifacts),
            );
      const drafts = story === undefined ? packets : [story.draft];
      return derived('synthesis', synthesis, {
        tasks: story === undefined ? tasks : [story.task],
        packets: await Promise.all(drafts.map((packet) => withPrompt(packet, blobs))),
        ...(end !== undefined && { deepeningEnd: end }),
      });
    },
    formatting: () => notAStage('formatting'),
    runtimeValidation: async (state, stop) => {
      const { checks, incomplete, consumed } = await validateByRunning(state, stop, parts);
      return derived('runtimeValidation', { checks: [...checks] }, { incomplete, consumed });
    },
  };
};

/** A plan that is made anew names the same tasks: what is asked has not changed, only what is known. */
const hasPlan = (state: AuditState): boolean => state.obligations.has('planning');

/** A cell is covered where a bundled analyzer covers it, or where another one was shown to have looked. */
const coveredByAnalyzers = (
  covers: StageParts['covers'],
  enriched: Enrichment,
): Pick<PlanningInput, 'covers' | 'didCheck'> => {
  const didOthers = createOtherCoverage(enriched);
  const didBundled = createAnalyzerCoverage(enriched);
  return {
    covers: (file, lens) => covers(file, lens) || didOthers(file, lens),
    didCheck: (file, lens) => didBundled(file, lens) || didOthers(file, lens),
  };
};

/** Results for tasks that need not be asked again. Analyzers cost nothing, and are. */
const inheritedOf = async (
  parts: StageParts,
  state: AuditState,
  tasks: readonly PlannedTask[],
): Promise<ReadonlyMap<TaskId, InheritedResult>> => {
  const settings = settingsOf(state);
  const isAsked = settings.reviewer === 'agent' && settings.inherits !== false;
  if (!isAsked || parts.earlierResults === undefined) return new Map();
  const results = await parts.earlierResults(new Set(tasks.map(({ id }) => id)), settings);
  if (results.size === 0) return new Map();
  return inheritResults({
    tasks,
    results,
    fileOf: await inventoryIndex(state, parts.artifacts),
    tree: await parts.verifiedTree(state),
    blobs: parts.blobs,
  });
};

const historyOf = async (parts: StageParts, inventory: Inventory): Promise<History> => {
  if (parts.readHistory === undefined) return NO_HISTORY;
  const read = await parts.readHistory(inventory.commit);
  return deriveHistory({ ...read, files: new Set(inventory.files.map(({ path }) => path)) });
};

/** The text of the first CODEOWNERS file; one that cannot be read names nobody. */
const ownersText = async (
  tree: Pick<FrozenTree, 'read'>,
  inventory: Inventory,
): Promise<string | undefined> => {
  const files = new Map(inventory.files.map((file) => [file.path, file]));
  const path = OWNER_FILES.find((name) => files.get(name)?.digest !== undefined);
  if (path === undefined) return undefined;
  const bytes = await tree.read(path).catch(() => undefined);
  return bytes === undefined ? undefined : textOf(bytes);
};

type StageRunner = (state: AuditState, stop: AbortSignal) => Promise<StageReport>;

/** The core waives it by itself, in the same commit that would reach them. */
const notAStage = (name: string): Promise<StageReport> => {
  throw new Error(`${name} is waived and never planned`);
};

const settingsOf = (state: AuditState) => required(state.settings, 'I4: an audit has settings');
