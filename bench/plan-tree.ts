import { readModules } from '../src/analyzers/read-tree.ts';
import { takeInventory } from '../src/analyzers/take-inventory.ts';
import { LENSES } from '../src/domain/vocabulary.ts';
import { readPlanSources } from '../src/engine/plan-sources.ts';
import { deriveDesignAssessment } from '../src/pipeline/design-assessment.ts';
import { deriveDisposition } from '../src/pipeline/disposition.ts';
import {
  filesToOutline,
  filesToSplit,
  planReview,
  type PlannedReview,
  type PlanningInput,
} from '../src/pipeline/planning.ts';
import { NO_HISTORY } from '../src/pipeline/shape/history.ts';
import { deriveShape } from '../src/pipeline/shape/shape.ts';
import { deriveStructure } from '../src/pipeline/structure.ts';
import type { ContentCache } from '../src/platform/content-cache.ts';
import { createSourceTree } from '../src/platform/git-source-tree.ts';

export type PlannedTree = { readonly input: PlanningInput; readonly planned: PlannedReview };

/**
 * Plans a review of a git tree by agents under all lenses: all stages up to the plan, without
 * analyzers, without git's past and without the log.
 */
export const planTree = async (folder: string): Promise<PlannedTree> => {
  const source = createSourceTree(folder);
  const inventory = await takeInventory(source);
  const disposition = deriveDisposition(inventory, { include: [], exclude: [] });
  const cache = createMemoryCache();
  const { modules } = await readModules(source, inventory, disposition, cache);
  const structure = deriveStructure({ inventory, disposition, modules });
  const { edges, units } = structure;
  const shape = deriveShape({
    inventory,
    disposition,
    modules,
    edges,
    units,
    history: NO_HISTORY,
  });
  const shaped = { ...structure, shape };
  const { assessments } = deriveDesignAssessment({ inventory, disposition, structure: shaped });
  const input: PlanningInput = {
    inventory,
    disposition,
    structure: shaped,
    settings: { lenses: [...LENSES], reviewer: 'agent' },
    assessments,
    covers: () => true,
  };
  const sources = await readPlanSources(source, filesToSplit(input), filesToOutline(input), cache);
  return { input, planned: planReview({ ...input, ...sources }) };
};

/** Between the stages of one plan, as the real one, and empty at its start. */
const createMemoryCache = (): ContentCache => {
  const entries = new Map<string, Uint8Array>();
  return {
    get: async (key) => entries.get(key),
    put: (key, bytes) => void entries.set(key, bytes),
    save: async () => undefined,
  };
};
