/** One of the things that are cut into stretches: how much it holds of each kind, and its name. */
export type Cuttable = { readonly name: string; readonly sizes: readonly number[] };

/**
 * Cuts a list into neighbouring stretches that each stay within the limits, in every kind of size. A
 * thing that is over a limit by itself is a stretch by itself.
 *
 * Where it cuts depends on names alone; sizes only say whether it must: a stretch that is too large is
 * cut before the name with the smallest mark. So when one thing grows or comes, stretches elsewhere
 * stay what they are. (Filling from the left would shift every later one.) The price is that they are
 * about two thirds full.
 *
 * Linear: the places of all possible cuts are one tree, made in one pass, and what a stretch holds is
 * a difference of two sums. Names that were chosen to make it deep cost nothing more.
 */
export const cutStably = <T extends Cuttable>(
  things: readonly T[],
  limits: readonly number[],
): readonly (readonly T[])[] => {
  if (things.length === 0) return [];
  const sums = limits.map((_, kind) => runningSums(things.map(({ sizes }) => sizes[kind] ?? 0)));
  const fits = (from: number, to: number): boolean =>
    to - from <= 1 ||
    limits.every((limit, kind) => (sums[kind]?.[to] ?? 0) - (sums[kind]?.[from] ?? 0) <= limit);
  const tree = cutTree(things.map(({ name }) => markOf(name)));
  const stretches: (readonly T[])[] = [];
  const waiting = [{ from: 0, to: things.length, cut: tree.root }];
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const { from, to, cut } = range;
    if (cut === undefined || fits(from, to)) {
      stretches.push(things.slice(from, to));
      continue;
    }
    // The left part is taken next, so that the stretches come in the order of the list.
    waiting.push({ from: cut, to, cut: tree.right[cut] });
    waiting.push({ from, to: cut, cut: tree.left[cut] });
  }
  return stretches;
};

const runningSums = (values: readonly number[]): readonly number[] => {
  const sums = [0];
  for (const value of values) sums.push((sums.at(-1) ?? 0) + value);
  return sums;
};

/**
 * The cuts (before things 1, 2, …) as a tree: the smallest mark of a stretch is its root, the first of
 * equal ones, and the cuts of both sides are below it.
 */
const cutTree = (marks: readonly number[]) => {
  const left: (number | undefined)[] = [];
  const right: (number | undefined)[] = [];
  const spine: number[] = [];
  for (let index = 1; index < marks.length; index += 1) {
    let below: number | undefined;
    while ((marks[spine.at(-1) ?? -1] ?? -1) > (marks[index] ?? 0)) below = spine.pop();
    left[index] = below;
    const above = spine.at(-1);
    if (above !== undefined) right[above] = index;
    spine.push(index);
  }
  return { root: spine[0], left, right };
};

/** FNV-1a with a final mix, 32 bits: spreads cuts evenly. Decides order only, never identity. */
export const markOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
