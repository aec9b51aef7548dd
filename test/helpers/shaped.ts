import { readModules } from '../../src/analyzers/read-tree.ts';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import {
  deriveDesignAssessment,
  type DesignAssessment,
  type DesignInput,
} from '../../src/pipeline/design-assessment.ts';
import { deriveDisposition } from '../../src/pipeline/disposition.ts';
import { NO_HISTORY, type History } from '../../src/pipeline/shape/history.ts';
import { deriveShape, type Shape } from '../../src/pipeline/shape/shape.ts';
import { deriveStructure, type Structure } from '../../src/pipeline/structure.ts';
import { createSimulatedSourceTree, type SimulatedFile } from './simulated-source-tree.ts';

/** Everything from the inventory to the design assessment, over a tree in memory. */
export const shaped = async (
  files: Readonly<Record<string, SimulatedFile>>,
  more: {
    readonly history?: History;
    readonly ownersText?: string;
    readonly boundaries?: DesignInput['boundaries'];
    readonly duplicates?: DesignInput['duplicates'];
  } = {},
): Promise<{
  readonly shape: Shape;
  readonly structure: Structure;
  readonly design: DesignAssessment;
}> => {
  const source = createSimulatedSourceTree(files);
  const inventory = await takeInventory(source);
  const disposition = deriveDisposition(inventory, { include: [], exclude: [] });
  const { modules } = await readModules(source, inventory, disposition);
  const structure = deriveStructure({ inventory, disposition, modules });
  const { edges, units } = structure;
  const shape = deriveShape({
    inventory,
    disposition,
    modules,
    edges,
    units,
    history: more.history ?? NO_HISTORY,
    ownersText: more.ownersText,
  });
  const design = deriveDesignAssessment({
    inventory,
    disposition,
    structure: { ...structure, shape },
    boundaries: more.boundaries,
    duplicates: more.duplicates,
  });
  return { shape, structure, design };
};
