import { z } from 'zod';
import { required } from '../std/assert.ts';
import { compareText } from '../std/canonical-json.ts';
import { digestOf } from '../std/digest.ts';
import type { PlannedTask } from '../domain/events.ts';
import { taskId } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import { lens, LENSES, type Lens, type Reviewer } from '../domain/vocabulary.ts';
import { skippedGroup, type SkippedGroup } from '../domain/synthesis.ts';
import { cutIntoBlocks, type BlockBudget } from './blocks.ts';
import { createCellGroups } from './cell-groups.ts';
import type { Disposition } from './disposition.ts';
import type { Inventory, InventoryFile } from './inventory.ts';
import { LENSES_OF_ROLE, roleOf } from './lens-selection.ts';
import { draftPacket, packGroups, type PacketBudget, type PacketDraft } from './packets.ts';
import { createRisk, type RiskOf } from './risk.ts';
import type { Structure } from './structure.ts';

const uncheckedGroup = skippedGroup.omit({ by: true });
type UncheckedGroup = z.infer<typeof uncheckedGroup>;

/** What was planned, and for each cell that no task has, why. */
export const plan = z.object({
  lenses: z.array(lens),
  files: z.int().nonnegative(),
  tasks: z.int().nonnegative(),
  packets: z.int().nonnegative(),
  /** Estimated input tokens of all packets. */
  tokens: z.int().nonnegative(),
  /** Cells that were asked for and that the analyzer behind them could not look at. */
  unchecked: z.array(uncheckedGroup),
  /** Cells that nobody is to look at. With the others they make up all files under all lenses. */
  skipped: z.array(skippedGroup),
  /** Files that could not be looked at: skipped too, and against completeness. */
  unreadable: z.array(z.string()),
});
export type Plan = z.infer<typeof plan>;

export type PlanningInput = {
  readonly inventory: Inventory;
  readonly disposition: Disposition;
  readonly structure: Pick<Structure, 'units' | 'edges'>;
  readonly settings: Pick<Settings, 'lenses' | 'reviewer'>;
  /** What a packet may come to; by default what suits the kind of reviewer. */
  readonly packetBudget?: PacketBudget;
  /** Whether the provider has anything to say about a language under a lens. */
  readonly covers: (file: { readonly language: string }, lens: Lens) => boolean;
  /**
   * Whether the analyzers really looked at a cell that they cover: one that failed must not look
   * like one that found nothing. By default they did.
   */
  readonly didCheck?: (
    file: { readonly path: string; readonly language: string },
    lens: Lens,
  ) => boolean;
};

export type PlannedReview = {
  readonly artifact: Plan;
  readonly tasks: readonly PlannedTask[];
  /** In the order in which they are to be started: the riskiest first. */
  readonly packets: readonly PacketDraft[];
};

/**
 * Plans the review: one task for each unit (or part of one) under each lens, and packets that join
 * tasks over the same files. Every (file, lens) cell of the inventory lands in exactly one task or,
 * with a reason, among the skipped or the unchecked.
 */
export const planReview = (input: PlanningInput): PlannedReview => {
  const lenses = LENSES.filter((one) => input.settings.lenses.includes(one));
  const files = new Map(input.inventory.files.map((file) => [file.path, file]));
  const included = new Set<string>();
  const skipped = createCellGroups<Pick<SkippedGroup, 'by' | 'reason'>>();
  const unchecked = createCellGroups<Pick<UncheckedGroup, 'reason'>>();
  const unreadable: string[] = [];
  for (const { path, status, reason } of input.disposition.files) {
    if (status === 'included') {
      included.add(path);
      continue;
    }
    if (status === 'unreadable') unreadable.push(path);
    skipped.add(path, lenses, { by: 'disposition', reason });
  }

  const chosen = new Map<string, readonly Lens[]>();
  for (const file of input.inventory.files) {
    if (!included.has(file.path)) continue;
    const asked: Lens[] = [];
    for (const one of lenses) {
      const reason = whyNot(file, one, input);
      if (reason === undefined && input.didCheck?.(file, one) === false) {
        unchecked.add(file.path, [one], { reason: NOT_CHECKED });
      } else if (reason === undefined) asked.push(one);
      else skipped.add(file.path, [one], { by: 'selection', reason });
    }
    chosen.set(file.path, asked);
  }

  const risk = createRisk(input.inventory.files, input.structure.edges);
  const groups = input.structure.units.flatMap((unit) => groupsOfUnit(unit, files, chosen, lenses));
  const packets = orderByRisk(
    packGroups(groups, input.packetBudget ?? PACKET_BUDGET[input.settings.reviewer]),
    risk,
  );
  const drafts = packets.map((tasks) => draftPacket(tasks, (path) => files.get(path)));
  const tasks = packets.flat();
  return {
    artifact: {
      lenses,
      files: input.inventory.files.length,
      tasks: tasks.length,
      packets: drafts.length,
      tokens: drafts.reduce((sum, draft) => sum + draft.tokens, 0),
      unchecked: unchecked.list(),
      skipped: skipped.list(),
      unreadable,
    },
    tasks,
    packets: drafts,
  };
};

/** A task's id: the digest of what is asked. A changed file makes another task. */
export const taskIdOf = (
  task: Omit<PlannedTask, 'id'>,
  digests: readonly (string | undefined)[],
): PlannedTask['id'] =>
  taskId.parse(
    `t-${digestOf([
      task.kind,
      task.lens,
      task.unit,
      task.paths.map((path, index) => [path, digests[index] ?? '']),
    ]).slice(0, 16)}`,
  );

/** Why a cell of an included file gets no task, if it gets none. */
const whyNot = (file: InventoryFile, one: Lens, input: PlanningInput): string | undefined => {
  if (!input.covers(file, one)) return NOT_COVERED[input.settings.reviewer];
  switch (input.settings.reviewer) {
    case 'analyzers':
      return undefined;
    case 'agent': {
      const role = roleOf(file);
      return LENSES_OF_ROLE[role].has(one) ? undefined : `not asked of ${ROLE_NAME[role]}`;
    }
  }
};

const NOT_CHECKED = 'its analyzer failed on it';
const NOT_COVERED: Readonly<Record<Reviewer, string>> = {
  analyzers: 'no bundled analyzer checks this language under this lens',
  agent: 'the provider does not review this language under this lens',
};
const ROLE_NAME = {
  code: 'source code',
  test: 'tests',
  config: 'configuration',
  prose: 'prose',
  style: 'style sheets',
  data: 'data files',
} as const;

/** The tasks of a unit, those over the same block of files side by side. */
const groupsOfUnit = (
  unit: Structure['units'][number],
  files: ReadonlyMap<string, InventoryFile>,
  chosen: ReadonlyMap<string, readonly Lens[]>,
  lenses: readonly Lens[],
): readonly { readonly tasks: readonly PlannedTask[]; readonly fileBytes: number }[] => {
  const asked = unit.files
    .filter((path) => (chosen.get(path) ?? []).length > 0)
    .toSorted(compareText)
    .map((path) => required(files.get(path), "each of a unit's files is in the inventory"));
  return cutIntoBlocks(asked, BLOCK_BUDGET).map((block) => ({
    tasks: lenses.flatMap((one) => {
      const under = block.filter((file) => chosen.get(file.path)?.includes(one));
      if (under.length === 0) return [];
      const task = {
        kind: 'review' as const,
        unit: unit.id,
        lens: one,
        paths: under.map((file) => file.path),
      };
      const digests = under.map((file) => file.digest);
      return [{ id: taskIdOf(task, digests), ...task }];
    }),
    fileBytes: block.reduce((sum, file) => sum + file.size, 0),
  }));
};

/** Packets by their riskiest file; equal ones in the order of their units and files. */
const orderByRisk = (
  packets: readonly (readonly PlannedTask[])[],
  risk: RiskOf,
): readonly (readonly PlannedTask[])[] =>
  packets
    .map((tasks) => ({
      tasks,
      // A loop, since the arguments of Math.max are bounded by the stack.
      risk: tasks.reduce(
        (most, task) => task.paths.reduce((top, path) => Math.max(top, risk(path)), most),
        0,
      ),
    }))
    .toSorted((left, right) => right.risk - left.risk)
    .map(({ tasks }) => tasks);

/** About what a reviewer keeps in mind at once. */
const BLOCK_BUDGET: BlockBudget = { filesMax: 15, linesMax: 3000, bytesMax: 120_000 };

/** Analyzers have read everything before; large packets only spare starts. */
const PACKET_BUDGET: Readonly<Record<Reviewer, PacketBudget>> = {
  agent: { tokensMax: 40_000, tasksMax: 40 },
  analyzers: { tokensMax: 400_000, tasksMax: 120 },
};
