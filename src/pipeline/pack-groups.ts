import { compareText } from '../std/canonical-json.ts';
import { agglomerate, type Bond } from './agglomerate.ts';
import { roleOf } from './lens-selection.ts';
import type { PacketBudget } from './packet-budget.ts';
import { cutStably } from './stable-cuts.ts';
import type { AskedFile, WorkGroup, WorkItem } from './work-groups.ts';

/**
 * Joins groups into packets within the budget. First those that belong together, the strongest bonds
 * first, across units. What is then small is pooled: with its neighbours by unit and path, and trivial
 * work (tiny tests, files of a line or two) apart, so that it thins out no other packet.
 *
 * @param asked sorted by path; bonds name them by index. @param usable tokens beside the prompt.
 */
export const packGroups = (
  groups: readonly WorkGroup[],
  asked: readonly AskedFile[],
  bonds: readonly Bond[],
  { usable, tasksMax }: { readonly usable: number } & Pick<PacketBudget, 'tasksMax'>,
  hasLead: (path: string) => boolean,
): readonly (readonly WorkGroup[])[] => {
  const whole = groups.flatMap((group) => cutTasks(group, tasksMax));
  const limits = [usable, tasksMax];
  const sizes = whole.map(({ tokens, tasks }) => [tokens, tasks.length]);
  const packets: (readonly WorkGroup[])[] = [];
  const pools: { small: Piece[]; trivial: Piece[] } = { small: [], trivial: [] };
  for (const indexes of agglomerate(sizes, bondsOfGroups(whole, asked, bonds), limits)) {
    const piece = pieceOf(indexes.flatMap((index) => whole[index] ?? []));
    if (piece.groups.every((group) => isTrivial(group, hasLead))) pools.trivial.push(piece);
    else if ((piece.sizes[0] ?? 0) > usable * FULL_SHARE) packets.push(piece.groups);
    else pools.small.push(piece);
  }
  const trivial = pools.trivial.toSorted((left, right) => compareText(left.name, right.name));
  for (const pool of [pools.small, trivial]) {
    for (const stretch of cutStably(pool, limits)) {
      packets.push(stretch.flatMap((piece) => piece.groups));
    }
  }
  return packets;
};

/** A packet so full is left as it is: what one would add to it is more loss of order than gain. */
const FULL_SHARE = 0.6;

type Piece = {
  readonly groups: readonly WorkGroup[];
  readonly name: string;
  readonly sizes: readonly number[];
};

const pieceOf = (groups: readonly WorkGroup[]): Piece => {
  const first = groups[0]?.items[0];
  return {
    groups,
    name: `${first?.file.path ?? ''}#${first?.part?.part ?? 0}`,
    sizes: [
      groups.reduce((sum, { tokens }) => sum + tokens, 0),
      groups.reduce((sum, { tasks }) => sum + tasks.length, 0),
    ],
  };
};

/** More lenses than a packet may have tasks: the one case in which a group is torn apart. */
const cutTasks = (group: WorkGroup, tasksMax: number): readonly WorkGroup[] =>
  group.tasks.length <= tasksMax
    ? [group]
    : Array.from({ length: Math.ceil(group.tasks.length / tasksMax) }, (_, index) => ({
        ...group,
        tasks: group.tasks.slice(index * tasksMax, (index + 1) * tasksMax),
      }));

const bondsOfGroups = (
  groups: readonly WorkGroup[],
  asked: readonly AskedFile[],
  bonds: readonly Bond[],
): readonly Bond[] => {
  const groupOf = new Map<string, number>();
  const weights = new Map<number, number>();
  const add = (one: number, other: number, weight: number): void => {
    const key = Math.min(one, other) * groups.length + Math.max(one, other);
    weights.set(key, (weights.get(key) ?? 0) + weight);
  };
  for (const [index, { items }] of groups.entries()) {
    for (const { file } of items) {
      const before = groupOf.get(file.path);
      // Neighbouring parts of a file, or other lenses over the same files.
      if (before !== undefined) add(before, index, SAME_FILE_WEIGHT);
      groupOf.set(file.path, index);
    }
  }
  for (const { from, to, weight } of bonds) {
    const one = groupOf.get(asked[from]?.file.path ?? '');
    const other = groupOf.get(asked[to]?.file.path ?? '');
    if (one !== undefined && other !== undefined && one !== other) add(one, other, weight);
  }
  return [...weights].map(([key, weight]) => ({
    from: Math.floor(key / groups.length),
    to: key % groups.length,
    weight,
  }));
};

const SAME_FILE_WEIGHT = 100;

const isTrivial = (
  { items }: Pick<WorkGroup, 'items'>,
  hasLead: (path: string) => boolean,
): boolean => items.every((item) => isTrivialItem(item) && !hasLead(item.file.path));

const isTrivialItem = ({ file, part }: WorkItem): boolean => {
  if (part !== undefined || file.size > TRIVIAL_BYTES_MAX) return false;
  if (file.path.endsWith('__init__.py')) return file.lines <= 10;
  return file.lines <= (roleOf(file) === 'test' ? 60 : 3);
};

const TRIVIAL_BYTES_MAX = 4000;
