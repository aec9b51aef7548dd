import { planOutput, type PlanOutput, type Range } from '../domain/plan-output.ts';
import { inLensOrder } from '../domain/vocabulary.ts';
import { inheritedFrom } from '../decider/inherited.ts';
import type { AuditState } from '../decider/state.ts';
import { createArtifacts } from '../engine/artifacts.ts';
import { dispositionTotals, type Disposition } from '../pipeline/disposition.ts';
import { createRiskOf, type RiskOf } from '../pipeline/risk.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import { percentile } from '../projections/figures.ts';
import { required } from '../std/assert.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';
import { figuresOver } from './figures-over.ts';
import type { Place } from './locate.ts';
import { selectedView } from './plan-selection.ts';
import { readAllAudits } from './read-all.ts';

/** What a plan shows; undefined while there is none. */
export const planView = async (
  state: AuditState,
  directory: string,
  place: Place,
): Promise<PlanOutput | undefined> => {
  const disk = createNodeDisk();
  const artifacts = createArtifacts(createFileBlobStore({ disk, directory }));
  const plan = await artifacts.find(state, 'planning');
  const disposition = await artifacts.find(state, 'disposition');
  if (plan === undefined || disposition === undefined) return undefined;
  const settings = required(state.settings, 'I4: an audit has settings');
  const [skipped, unchecked] = [cellsOf(plan.skipped), cellsOf(plan.unchecked)];
  const total = plan.files * plan.lenses.length;
  const riskOf = createRiskOf({
    files: (await artifacts.find(state, 'structure'))?.shape?.risk.files ?? [],
  });
  const packets = packetsOf(state, riskOf);
  const inherited = inheritedFrom(state);
  const left = packets.filter(({ status }) => status !== 'settled' && status !== 'abandoned');
  return planOutput.parse({
    contract: 'casefile/plan/v1',
    audit: state.opened?.audit,
    state: state.lifecycle.path,
    provider: settings.provider,
    depth: settings.depth ?? 'standard',
    files: {
      total: plan.files,
      byStatus: dispositionTotals(disposition),
      asked: askedPaths(state).size,
    },
    ...selectedView(settings.selection, plan.selected),
    excluded: excludedOf(disposition),
    components: (disposition.components ?? []).map(({ id, kind, name }) => ({
      id,
      kind,
      ...(name !== undefined && { name }),
    })),
    units: unitsOf(state, riskOf),
    lenses: lensesOf(state),
    tasks: plan.tasks,
    ...(inherited.length > 0 && { inherited }),
    cells: { total, asked: total - skipped - unchecked, skipped, unchecked },
    left: {
      packets: left.length,
      tasks: left.reduce((sum, { tasks }) => sum + tasks, 0),
    },
    tokens: tokenRange(left.reduce((sum, { tokens }) => sum + tokens, 0)),
    costUsd: null,
    ...(settings.reviewer === 'agent' && { time: await timeOf(state, left.length, place) }),
    splits: (plan.splits ?? []).map((split) => ({
      ...split,
      parts: (plan.parts ?? []).filter(({ path }) => path === split.path).length,
    })),
    skipped: plan.skipped.map((group) => ({ ...group, files: group.files.length })),
    packets,
  });
};

const cellsOf = (
  groups: readonly { readonly lenses: readonly string[]; readonly files: readonly string[] }[],
): number => groups.reduce((sum, { lenses, files }) => sum + lenses.length * files.length, 0);

/**
 * The token model counts by the tokenizer that makes the most tokens. Over code of three projects others
 * made 6 to 12 % fewer of the same files (o200k_base against that of @anthropic-ai/tokenizer).
 */
const tokenRange = (tokens: number): Range => ({ low: Math.floor(tokens * 0.85), high: tokens });

const EXAMPLES = 3;

const excludedOf = (disposition: Disposition): PlanOutput['excluded'] => {
  const groups = new Map<string, PlanOutput['excluded'][number]>();
  for (const { path, status, reason } of disposition.files) {
    if (status === 'included') continue;
    const key = `${status} ${reason}`;
    const group = groups.get(key) ?? { status, reason, files: 0, examples: [] };
    groups.set(key, group);
    group.files += 1;
    if (group.examples.length < EXAMPLES) group.examples.push(path);
  }
  return [...groups.values()].toSorted((left, right) => right.files - left.files);
};

const unitsOf = (state: AuditState, riskOf: RiskOf): PlanOutput['units'] => {
  const units = new Map<string, { files: Set<string>; tasks: number; packets: number }>();
  for (const { spec } of state.packets.values()) {
    const seen = new Set<string>();
    for (const id of spec.tasks) {
      const task = required(state.tasks.get(id), 'I2: the tasks of a packet are planned');
      const unit = units.get(task.unit) ?? { files: new Set(), tasks: 0, packets: 0 };
      units.set(task.unit, unit);
      for (const path of task.paths) unit.files.add(path);
      unit.tasks += 1;
      if (!seen.has(task.unit)) unit.packets += 1;
      seen.add(task.unit);
    }
  }
  return [...units]
    .map(([id, { files, ...counts }]) => ({
      id,
      files: files.size,
      ...counts,
      risk: riskiest(files, riskOf),
    }))
    .toSorted((left, right) => right.risk - left.risk);
};

const lensesOf = (state: AuditState): PlanOutput['lenses'] => {
  const tasks = [...state.tasks.values()];
  return inLensOrder(tasks.map(({ lens }) => lens)).map((lens) => {
    const under = tasks.filter((task) => task.lens === lens);
    const cells = new Set(
      under.filter(({ kind }) => kind === 'review').flatMap(({ paths }) => paths),
    );
    return { lens, tasks: under.length, cells: cells.size };
  });
};

const riskiest = (paths: Iterable<string>, riskOf: RiskOf): number => {
  let most = 0;
  for (const path of paths) most = Math.max(most, riskOf(path));
  return most;
};

/** Files that some task is to review; a question about the design only leads there. */
export const askedPaths = (state: AuditState): ReadonlySet<string> =>
  new Set([...state.tasks.values()].flatMap(({ kind, paths }) => (kind === 'review' ? paths : [])));

const packetsOf = (state: AuditState, riskOf: RiskOf): PlanOutput['packets'] =>
  [...state.packets.values()].map(({ spec, status }) => {
    const tasks = spec.tasks.map((id) =>
      required(state.tasks.get(id), 'I2: the tasks of a packet are planned'),
    );
    const files = new Set(tasks.flatMap(({ kind, paths }) => (kind === 'review' ? paths : [])));
    return {
      id: spec.id,
      status,
      risk: riskiest(files, riskOf),
      tokens: spec.tokens,
      tasks: tasks.length,
      units: [...new Set(tasks.map(({ unit }) => unit))],
      lenses: inLensOrder(tasks.map(({ lens }) => lens)),
      files: files.size,
    };
  });

/** What an attempt is taken to need before any has ended. */
const ASSUMED_MS: Range = { low: 60_000, high: 8 * 60_000 };
/** Fewer say little of the others. */
export const MEASURED_MIN = 5;

const timeOf = async (
  state: AuditState,
  packets: number,
  place: Place,
): Promise<PlanOutput['time']> => {
  const { provider, accounts } = required(state.settings, 'I4: an audit has settings');
  const figures = await figuresOver(readAllAudits(createNodeDisk(), place));
  const durations = figures.byProvider.get(provider)?.durationsMs ?? [];
  const isMeasured = durations.length >= MEASURED_MIN;
  const packetMs = isMeasured
    ? { low: percentile(durations, 0.1) ?? 0, high: percentile(durations, 0.9) ?? 0 }
    : ASSUMED_MS;
  const width = accounts.reduce((sum, { ceiling }) => sum + ceiling, 0);
  const rounds = Math.ceil(packets / width);
  return {
    basis: isMeasured ? 'measured' : 'assumed',
    attempts: isMeasured ? durations.length : 0,
    width,
    packetMs,
    totalMs: { low: rounds * packetMs.low, high: rounds * packetMs.high },
  };
};
