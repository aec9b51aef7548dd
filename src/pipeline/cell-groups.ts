import { canonicalJson, compareText } from '../std/canonical-json.ts';
import { inLensOrder, type Lens } from '../domain/vocabulary.ts';

/** Many files under the same lenses, with what is said of all their cells. */
export type CellGroup<Why> = Why & { lenses: Lens[]; files: string[] };

export type CellGroups<Why> = {
  /** Says something of cells. Different things may be said of different lenses of one file. */
  readonly add: (path: string, lenses: readonly Lens[], why: Why) => void;
  /** Few groups instead of one line for each cell; independent of the order of the additions. */
  readonly list: () => CellGroup<Why>[];
};

export const createCellGroups = <
  Why extends Readonly<Record<string, string>>,
>(): CellGroups<Why> => {
  /** By what is said, then by file. */
  const said = new Map<string, { readonly why: Why; readonly lenses: Map<string, Set<Lens>> }>();
  return {
    add: (path, lenses, why) => {
      const key = canonicalJson(why);
      const entry = said.get(key) ?? { why, lenses: new Map<string, Set<Lens>>() };
      said.set(key, entry);
      const known = entry.lenses.get(path) ?? new Set();
      entry.lenses.set(path, known);
      for (const lens of lenses) known.add(lens);
    },
    list: () => {
      const groups = new Map<string, CellGroup<Why>>();
      for (const [key, { why, lenses: byPath }] of said) {
        for (const [path, known] of byPath) {
          const lenses = inLensOrder(known);
          if (lenses.length === 0) continue;
          const name = `${key} ${lenses.join(' ')}`;
          const group = groups.get(name) ?? { ...why, lenses, files: [] };
          groups.set(name, group);
          group.files.push(path);
        }
      }
      return [...groups]
        .toSorted(([left], [right]) => compareText(left, right))
        .map(([, group]) => ({ ...group, files: group.files.toSorted(compareText) }));
    },
  };
};
