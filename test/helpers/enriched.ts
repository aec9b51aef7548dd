import { join } from 'node:path';
import { enrich } from '../../src/analyzers/enrich.ts';
import { readModules } from '../../src/analyzers/read-tree.ts';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { deriveDisposition } from '../../src/pipeline/disposition.ts';
import type { Enrichment } from '../../src/pipeline/enrichment.ts';
import { deriveStructure } from '../../src/pipeline/structure.ts';
import { freezeTree } from '../../src/platform/frozen-tree.ts';
import type { RunProgram } from '../../src/platform/subprocess.ts';
import { createSimulatedSourceTree, type SimulatedFile } from './simulated-source-tree.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Everything from the inventory to the leads, over real analyzers and a real copy. */
export const enriched = async (
  files: Readonly<Record<string, SimulatedFile>>,
  run?: RunProgram,
): Promise<Enrichment> => {
  const source = createSimulatedSourceTree(files);
  const inventory = await takeInventory(source);
  const disposition = deriveDisposition(inventory, { include: [], exclude: [] });
  const { modules } = await readModules(source, inventory, disposition);
  const structure = deriveStructure({ inventory, disposition, modules });
  const home = await temporaryFolder();
  const { tree } = await freezeTree({ source, inventory, folder: join(home, 'tree') });
  return enrich({
    tree,
    inventory,
    disposition,
    structure,
    scratch: join(home, 'scratch'),
    ...(run === undefined ? {} : { run }),
  });
};
