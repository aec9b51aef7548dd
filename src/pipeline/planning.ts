import { z } from 'zod';
import { compareText } from '../std/canonical-json.ts';
import type { PlannedTask } from '../domain/events.ts';
import type { Lead } from '../domain/finding.ts';
import type { TaskId } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import { lens, type Lens } from '../domain/vocabulary.ts';
import { selectedFiles, type SelectedFiles } from '../domain/selection.ts';
import { skippedGroup } from '../domain/synthesis.ts';
import { bondsBetween, type RelatedEdge } from './affinity.ts';
import { askCells, type CellsInput } from './ask-cells.ts';
import { depthRules } from './depth.ts';
import type { Assessment } from './design/assessment.ts';
import { planDesignReview } from './design-review.ts';
import type { InventoryFile } from './inventory.ts';
import { packGroups } from './pack-groups.ts';
import {
  contextBudgetFor,
  packetBudgetFor,
  usableTokens,
  type PacketBudget,
} from './packet-budget.ts';
import { draftPacket, type PacketDraft } from './packets.ts';
import { keepShare } from './plan-share.ts';
import type { ContextBudget } from './prompt.ts';
import { outline, outlineOf, type NamedDefinition, type Outline } from './outline.ts';
import { createReviewFacts, type ReviewFacts } from './review-facts.ts';
import { orderForReview } from './review-order.ts';
import { createRisk, createRiskOf } from './risk.ts';
import { filePart } from './split-file.ts';
import type { Shape } from './shape/shape.ts';
import {
  groupWork,
  oversizedIn,
  narrowGroup,
  type AskedFile,
  type WorkGroup,
} from './work-groups.ts';

const uncheckedGroup = skippedGroup.omit({ by: true });

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
  /** What a packet was allowed to come to. Absent in older plans, as what follows. */
  budget: z.object({ tokensMax: z.int().positive(), tasksMax: z.int().positive() }).optional(),
  /** Files that are larger than a packet, and how they were cut. */
  splits: z.array(z.object({ path: z.string(), reason: z.string() })).optional(),
  /** Their parts, by path and place: what tasks with ranges are about. */
  parts: z.array(filePart).optional(),
  /** What long files define, for prompts; thinned over the whole file. */
  outlines: z.array(outline).optional(),
  /** What is reviewed since something changed; absent where everything is asked about. */
  selected: selectedFiles.optional(),
});
export type Plan = z.infer<typeof plan>;

export type PlanningInput = CellsInput & {
  readonly structure: {
    readonly edges: readonly RelatedEdge[];
    /** Without it, risk is what the inventory and the edges say. */
    readonly shape?: Pick<Shape, 'risk' | 'tests'> | undefined;
  };
  readonly settings: Pick<Settings, 'depth'>;
  /** What a packet may come to; by default what suits the kind of reviewer. */
  readonly packetBudget?: PacketBudget;
  /** Texts of `filesToSplit`. */
  readonly textOf?: (path: string) => string | undefined;
  /** What parsers found in a file; for outlines, and for cuts. */
  readonly definitionsOf?: (path: string) => readonly NamedDefinition[];
  /** Sorted by path. */
  readonly leads?: readonly Lead[];
  /** What agents are asked about the design; see `planDesignReview`. */
  readonly assessments?: readonly Assessment[];
  /** With `whyNotSelected`, where only a part of the repository is reviewed. */
  readonly selected?: SelectedFiles | undefined;
};

export type PlannedReview = {
  readonly artifact: Plan;
  readonly tasks: readonly PlannedTask[];
  /** In the order in which they are to be started; see `orderForReview`. */
  readonly packets: readonly PacketDraft[];
};

export type PreparedReview = {
  readonly whole: PlannedReview;
  /** The same tasks, with packets for those alone that are not settled: packed anew, not remainders. */
  readonly withoutSettled: (settled: ReadonlySet<TaskId>) => PlannedReview;
};

/**
 * Plans the review. Files that belong together make a group, a group makes one task for each lens
 * (`groupWork`); groups make packets within the budget (`packGroups`), which stand in the order of
 * their risk with a minimum for every unit and lens (`orderForReview`).
 *
 * Every (file, lens) cell of the inventory lands in exactly one task (of a file that is cut: in one for
 * each part) or, with a reason, among the skipped or the unchecked. The same input gives the same plan
 * in whatever order it comes; the cost grows with files and edges.
 */
export const planReview = (input: PlanningInput): PlannedReview => prepareReview(input).whole;

/** `planReview` for an audit that may inherit results: which tasks there are is known before packets. */
export const prepareReview = (input: PlanningInput): PreparedReview => {
  const { settings, inventory } = input;
  const rules = rulesOf(input);
  const { budget } = rules;
  const context = contextBudgetFor(settings.reviewer, budget);
  const { ownLenses } = settings;
  const usable = usableTokens(budget, context, ownLenses);
  const { lenses, skipped, unchecked, unreadable, asked } = askCells(input, rules.whyNot);
  const files = new Map(inventory.files.map((file) => [file.path, file]));

  const { edges, shape } = input.structure;
  const bonds = bondsBetween(
    asked.map(({ file }) => file.path),
    edges,
    shape?.tests,
  );
  const work = groupWork(
    asked,
    bonds,
    { tokens: usable, ownLenses },
    {
      textOf: input.textOf ?? (() => undefined),
      definitionsOf: input.definitionsOf ?? (() => []),
    },
  );
  const parts = work.groups.flatMap(({ items }) => items.flatMap(({ part }) => part ?? []));
  const outlines = outlinesOf(asked, input.definitionsOf);
  const facts = createReviewFacts({
    fileOf: (path) => files.get(path),
    parts,
    edges,
    outlines,
    ownLenses,
    ...(shape && { tests: shape.tests }),
    ...(input.leads && { leads: input.leads }),
  });
  const risk = shape === undefined ? createRisk(inventory.files, edges) : createRiskOf(shape.risk);
  const pack = (wanted: readonly WorkGroup[]): readonly TasksOfPacket[] => {
    const packed = packGroups(
      wanted,
      asked,
      bonds,
      { usable, tasksMax: budget.tasksMax },
      (path) => facts.leadsOf(path).length > 0,
    );
    return orderForReview(
      packed.toSorted(byPlace).map((groups) => {
        const tasks = groups.flatMap((group) => group.tasks);
        return { tasks, risk: riskiest(tasks, risk), areas: areasOf(tasks) };
      }),
    ).map(({ tasks }) => ({ tasks, draft: draftPacket(tasks, facts, context) }));
  };
  // A share is meant of the whole repository: what changed is little, and is read whole.
  const share = input.selected === undefined ? rules.share : 1;
  const { kept, left } = keepShare(pack(work.groups), share);
  for (const { tasks } of left) {
    for (const { lens: one, paths } of tasks) {
      for (const path of paths) {
        skipped.add(path, [one], { by: 'selection', reason: LESS_RISKY });
      }
    }
  }
  const design = designPackets(input, { lenses, asked }, facts, context);
  const all = [...kept, ...design];
  const tasks = all.flatMap((packet) => packet.tasks);
  const base = {
    lenses,
    files: inventory.files.length,
    tasks: tasks.length,
    unchecked: unchecked.list(),
    skipped: skipped.list(),
    unreadable,
    budget,
    splits: work.splits.toSorted((one, other) => compareText(one.path, other.path)),
    parts,
    outlines,
    ...(input.selected !== undefined && { selected: input.selected }),
  };
  const planOf = (packed: readonly TasksOfPacket[]): PlannedReview => {
    const packets = packed.map(({ draft }) => draft);
    const tokens = packets.reduce((sum, draft) => sum + draft.tokens, 0);
    return { artifact: { ...base, packets: packets.length, tokens }, tasks, packets };
  };
  return {
    whole: planOf(all),
    withoutSettled: (settled) => {
      const asks = new Set(kept.flatMap((packet) => packet.tasks.map(({ id }) => id)));
      const isOpen = ({ id }: PlannedTask): boolean => asks.has(id) && !settled.has(id);
      return planOf([
        ...pack(work.groups.flatMap((group) => narrowGroup(group, isOpen) ?? [])),
        ...design.filter((packet) => packet.tasks.some(({ id }) => !settled.has(id))),
      ]);
    },
  };
};

/** Equally risky packets stand in the order of their files, and the parts of one in theirs. */
const byPlace = ([left]: readonly WorkGroup[], [right]: readonly WorkGroup[]): number => {
  const [one, other] = [left?.items[0], right?.items[0]];
  return (
    compareText(one?.file.path ?? '', other?.file.path ?? '') ||
    (one?.part?.part ?? 0) - (other?.part?.part ?? 0)
  );
};

type TasksOfPacket = { readonly tasks: readonly PlannedTask[]; readonly draft: PacketDraft };

/**
 * Questions about the design stand last, each in a packet of its own; about files of which nothing else
 * is asked there are none. Analyzers are asked none.
 */
const designPackets = (
  input: PlanningInput,
  { lenses, asked }: { readonly lenses: readonly Lens[]; readonly asked: readonly AskedFile[] },
  facts: ReviewFacts,
  context: ContextBudget,
): readonly TasksOfPacket[] => {
  const { settings } = input;
  const isAsked = settings.reviewer === 'agent' && settings.depth !== 'quick';
  if (!isAsked || !lenses.includes('architecture')) return [];
  const { budget } = rulesOf(input);
  // Half of what is left is for other files that such a question leads to.
  const questions = planDesignReview(
    assessmentsToAsk(input, asked),
    facts.fileOf,
    Math.floor(usableTokens(budget, context, settings.ownLenses) / 2),
  );
  return questions.map(({ task, question }) => ({
    tasks: [task],
    draft: draftPacket([task], { ...facts, questionOf: () => question }, context),
  }));
};

/** Those that are first of all about a file that is asked; of what changed, those that it takes part in. */
const assessmentsToAsk = (
  { assessments = [], selected }: PlanningInput,
  asked: readonly AskedFile[],
): readonly Assessment[] => {
  if (selected !== undefined) {
    const changed = new Set(selected.changed);
    return assessments.filter(({ paths }) => paths.some((path) => changed.has(path)));
  }
  const all = new Set(asked.map(({ file }) => file.path));
  return assessments.filter(({ paths: [first] }) => first !== undefined && all.has(first));
};

/** Files that are larger than a packet: their texts are needed to cut them well. */
export const filesToSplit = (input: PlanningInput): readonly InventoryFile[] => {
  const { budget } = rulesOf(input);
  const { reviewer, ownLenses } = input.settings;
  const tokens = usableTokens(budget, contextBudgetFor(reviewer, budget), ownLenses);
  return askedAmong(input, oversizedIn({ tokens, ownLenses }));
};

/** The files of a kind that some task is to look at. Few are of it, so the others are not asked. */
const askedAmong = (
  input: PlanningInput,
  isWanted: (file: InventoryFile) => boolean,
): readonly InventoryFile[] => {
  const inventory = { ...input.inventory, files: input.inventory.files.filter(isWanted) };
  return askCells({ ...input, inventory }, rulesOf(input).whyNot).asked.map(({ file }) => file);
};

/**
 * Long files, which a reader finds the way in by an outline. Few, since a whole syntax tree is dear.
 * Analyzers read no prompt.
 */
export const filesToOutline = (input: PlanningInput): readonly InventoryFile[] =>
  input.settings.reviewer === 'analyzers'
    ? []
    : askedAmong(input, ({ lines }) => lines >= OUTLINE_LINES_MIN);

/** About half of what a packet holds: shorter ones a reader has before them. */
const OUTLINE_LINES_MIN = 2000;

const outlinesOf = (
  asked: readonly AskedFile[],
  definitionsOf: PlanningInput['definitionsOf'] = () => [],
): Outline[] =>
  asked.flatMap(({ file: { path } }) => {
    const definitions = definitionsOf(path);
    return definitions.length === 0 ? [] : [outlineOf(path, definitions)];
  });

const rulesOf = ({ settings, packetBudget }: PlanningInput) =>
  depthRules(
    settings.depth ?? 'standard',
    settings.reviewer,
    packetBudget ?? packetBudgetFor(settings.reviewer, undefined),
  );

const LESS_RISKY = 'less risky than what depth quick reads';
const riskiest = (tasks: readonly PlannedTask[], risk: (path: string) => number): number => {
  // A loop, since the arguments of Math.max are bounded by the stack.
  let most = 0;
  for (const { paths } of tasks) for (const path of paths) most = Math.max(most, risk(path));
  return most;
};

const areasOf = (tasks: readonly PlannedTask[]): readonly string[] => [
  ...new Set(tasks.flatMap(({ unit, lens: one }) => [`unit ${unit}`, `lens ${one}`])),
];
