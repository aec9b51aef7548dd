import type { AuditState, TaskRecord } from '../decider/state.ts';
import type { DeepeningSum } from '../domain/commands.ts';
import type { TaskResult } from '../domain/finding.ts';
import type { InheritedResult, PlannedTask } from '../domain/events.ts';
import type { TaskId } from '../domain/ids.ts';
import type { Synthesis } from '../domain/synthesis.ts';
import { deepeningTasks, planDeepening, type DeepeningInput } from '../pipeline/deepening.ts';
import { packetBudgetFor } from '../pipeline/packet-budget.ts';
import type { PacketDraft } from '../pipeline/packets.ts';
import { createRisk, createRiskOf } from '../pipeline/risk.ts';
import { required } from '../std/assert.ts';
import type { Artifacts } from './artifacts.ts';
import { plannedTaskOf } from './planned-task.ts';
import { reviewFacts } from './review-facts.ts';

/** What comes with a synthesis: a further round, or that there is none; nothing where none was asked. */
export type DeepeningStep = {
  readonly tasks: readonly PlannedTask[];
  readonly packets: readonly PacketDraft[];
  readonly end?: DeepeningSum;
};

/** What earlier audits have answered of tasks. */
export type Inherit = (
  tasks: readonly PlannedTask[],
) => Promise<ReadonlyMap<TaskId, InheritedResult>>;

const NOTHING: DeepeningStep = { tasks: [], packets: [] };

/**
 * Fewer tokens than this verify nothing: a share of a small plan is raised to it. What deepening may
 * come to is a bound, so most audits use less.
 */
const TOKENS_MIN = 12_000;

/** Looks at a synthesis for what is worth a second look; see `planDeepening`. */
export const deepen = async (
  state: AuditState,
  synthesis: Pick<Synthesis, 'findings'>,
  results: readonly TaskResult[],
  artifacts: Artifacts,
  inherit: Inherit,
): Promise<DeepeningStep> => {
  const settings = required(state.settings, 'I4: an audit has settings');
  const plan = await artifacts.find(state, 'planning');
  const isOver = state.deepeningEnded !== undefined || settings.reviewer !== 'agent';
  if (settings.deepening === undefined || plan === undefined || isOver) return NOTHING;
  const { share, roundsMax } = settings.deepening;
  const before = spentOn(state);
  const tokensMax = Math.max(TOKENS_MIN, Math.floor(plan.tokens * share));
  const { facts, context } = await reviewFacts(state, artifacts);
  const input: DeepeningInput = {
    ...(await causesOf(state, artifacts, facts)),
    findings: synthesis.findings,
    reviewed: reviewedBy(state, results),
    facts,
    context,
    budget: plan.budget ?? packetBudgetFor(settings.reviewer, undefined),
    isPlanned: (task) => state.tasks.has(task as TaskId),
    round: before.rounds + 1,
    roundsMax,
    tokensLeft: tokensMax - before.tokens,
  };
  const inherited = await inherit(deepeningTasks(input));
  const isAnswered = (task: string): boolean => inherited.has(task as TaskId);
  const step = planDeepening({ ...input, isAnswered });
  if (step.kind === 'round') {
    const tasks = step.tasks.map((task) => {
      const known = inherited.get(task.id);
      return known === undefined ? task : { ...task, inherited: known };
    });
    return { tasks, packets: step.packets };
  }
  return { ...NOTHING, end: { reason: step.reason, ...before, tokensMax } };
};

const isDeeper = ({ kind }: Pick<TaskRecord, 'kind'>): boolean =>
  kind === 'deepening' || kind === 'verification';

/** What deepening has come to so far, as its tasks and packets say. */
const spentOn = (state: AuditState): Omit<DeepeningSum, 'reason' | 'tokensMax'> => {
  let rounds = 0;
  let tasks = 0;
  for (const task of state.tasks.values()) {
    if (!isDeeper(task)) continue;
    tasks += 1;
    rounds = Math.max(rounds, task.about?.round ?? 0);
  }
  let tokens = 0;
  for (const { spec } of state.packets.values()) {
    const [first] = spec.tasks;
    const task = first === undefined ? undefined : state.tasks.get(first);
    // What a packet is replaced by was paid for with it.
    if (task !== undefined && isDeeper(task) && spec.replaces === undefined) tokens += spec.tokens;
  }
  return { rounds, tasks, tokens };
};

/** Only what agents said: analyzers say the same a second time. */
const reviewedBy = (
  state: AuditState,
  results: readonly TaskResult[],
): DeepeningInput['reviewed'] =>
  results.flatMap((result) => {
    const task = state.tasks.get(result.task as TaskId);
    if (task?.status !== 'accepted' || task.result?.reviewer !== 'agent') return [];
    return [{ task: plannedTaskOf(task), result }];
  });

const causesOf = async (
  state: AuditState,
  artifacts: Artifacts,
  { leadsOf, fileOf }: Pick<DeepeningInput['facts'], 'leadsOf' | 'fileOf'>,
): Promise<
  Pick<DeepeningInput, 'failed' | 'lenses' | 'riskOf' | 'isInFlow' | 'leadsOf' | 'linesOf'>
> => {
  const { shape, edges } = await artifacts.get(state, 'structure');
  const inventory = await artifacts.get(state, 'inventory');
  const inFlow = new Set(shape?.flows.flatMap(({ path }) => path));
  return {
    failed:
      (await artifacts.find(state, 'runtimeValidation'))?.checks.filter(
        ({ verdict }) => verdict === 'failed',
      ) ?? [],
    lenses: state.settings?.lenses ?? [],
    riskOf: shape === undefined ? createRisk(inventory.files, edges) : createRiskOf(shape.risk),
    isInFlow: (path) => inFlow.has(path),
    leadsOf,
    linesOf: (path) => fileOf(path)?.lines ?? 0,
  };
};
