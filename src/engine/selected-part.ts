import type { Selection } from '../domain/selection.ts';
import { includedFiles, type Disposition } from '../pipeline/disposition.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import type { PlanningInput } from '../pipeline/planning.ts';
import { createRisk, createRiskOf } from '../pipeline/risk.ts';
import { selectFiles, whyNotSelected } from '../pipeline/selection.ts';
import type { Structure } from '../pipeline/structure.ts';

/** What stages need where only a part of the repository is asked about; nothing otherwise. */
export const selectedPart = (
  selection: Selection | undefined,
  inventory: Inventory,
  disposition: Disposition,
  { edges, lost = [], shape }: Structure,
): Pick<PlanningInput, 'selected' | 'whyNotSelected'> => {
  if (selection === undefined) return {};
  const included = new Set(includedFiles(inventory, disposition).map(({ path }) => path));
  const selected = selectFiles({
    selection,
    isReviewed: (path) => included.has(path),
    edges: [...edges, ...lost],
    tests: shape?.tests ?? [],
    riskOf: shape === undefined ? createRisk(inventory.files, edges) : createRiskOf(shape.risk),
  });
  return { selected, whyNotSelected: whyNotSelected(selection, selected) };
};
