/** How strongly two things belong together. */
export type Bond = { readonly from: number; readonly to: number; readonly weight: number };

/**
 * Joins things along their bonds, the strongest first, as long as what they hold together stays within
 * the limits. A thing without bonds stays alone, whatever else there is; so one that is added without
 * any changes no other group.
 *
 * Equal bonds are taken in the order of their ends. The cost is that of sorting the bonds.
 *
 * @param sizes how much each thing holds, of each kind that has a limit.
 * @returns groups of indexes, in the order of their first; each group ascending.
 */
export const agglomerate = (
  sizes: readonly (readonly number[])[],
  bonds: readonly Bond[],
  limits: readonly number[],
): readonly (readonly number[])[] => {
  const parents = sizes.map((_, index) => index);
  const held = sizes.map((size) => [...size]);
  const rootOf = (index: number): number => {
    let root = index;
    while ((parents[root] ?? root) !== root) root = parents[root] ?? root;
    for (let at = index; at !== root;) {
      const next = parents[at] ?? root;
      parents[at] = root;
      at = next;
    }
    return root;
  };
  const sorted = bonds.toSorted(
    (left, right) => right.weight - left.weight || left.from - right.from || left.to - right.to,
  );
  for (const { from, to } of sorted) {
    const one = rootOf(from);
    const other = rootOf(to);
    if (one === other) continue;
    const low = Math.min(one, other);
    const high = Math.max(one, other);
    const both = limits.map((_, kind) => (held[low]?.[kind] ?? 0) + (held[high]?.[kind] ?? 0));
    if (both.some((size, kind) => size > (limits[kind] ?? 0))) continue;
    parents[high] = low;
    held[low] = both;
  }
  const groups = new Map<number, number[]>();
  for (const index of sizes.keys()) {
    const root = rootOf(index);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [index]);
    else group.push(index);
  }
  return [...groups.values()];
};
