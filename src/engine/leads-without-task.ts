import type { Lens } from '../domain/vocabulary.ts';
import type { Settings } from '../domain/settings.ts';
import type { Inventory } from '../pipeline/inventory.ts';

/**
 * Why nothing can come of a lead where analyzers alone review: nobody asks under its lens, or the plan is made
 * already and has no task for it. An agent reads leads of any lens.
 *
 * @param covered of the plan that there is: whether it asks about a file under a lens; undefined before.
 */
export const leadsWithoutTask = (
  { reviewer, lenses }: Pick<Settings, 'reviewer' | 'lenses'>,
  covered: ((file: { readonly language: string }, lens: Lens) => boolean) | undefined,
  inventory: Inventory,
): ((path: string, lens: Lens) => string | undefined) | undefined => {
  if (reviewer !== 'analyzers') return undefined;
  const asked = new Set(lenses);
  const files = new Map(inventory.files.map((file) => [file.path, file]));
  return (path, lens) => {
    if (!asked.has(lens)) return `its lens ${lens} is not asked for in this audit (--lenses)`;
    const file = files.get(path);
    const isPlanned = covered === undefined || (file !== undefined && covered(file, lens));
    return isPlanned
      ? undefined
      : 'its file is not asked about under its lens in the plan that there is';
  };
};
