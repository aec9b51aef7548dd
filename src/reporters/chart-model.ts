import { z } from 'zod';
import { assert, required } from '../std/assert.ts';

/**
 * A statechart as a drawing needs it: a tree of states, and edges between them whose labels are
 * ready. Made from a machine's plain configuration, which is data by the time it comes here, so
 * that a reporter knows neither the machines nor the library that runs them.
 *
 * A transition that a composite state has for all its substates starts from a pseudo state inside
 * it ("any of these"). Both mermaid and graphviz fail to draw an edge from a box to its own inside.
 */
export type Chart = {
  readonly id: string;
  /** Top-level states in their declared order. */
  readonly states: readonly ChartState[];
  readonly initial: string;
  readonly edges: readonly ChartEdge[];
};

export type ChartState = {
  /** Dotted path from the root, as in the log's `from` and `to`: `deriving.planning`. */
  readonly path: string;
  readonly name: string;
  readonly kind: 'plain' | 'composite' | 'final' | 'any';
  /** Of a composite state: the path of the substate that is entered. */
  readonly initial?: string;
  readonly states: readonly ChartState[];
};

export type ChartEdge = {
  readonly source: string;
  readonly target: string;
  /** Each `Event [guard]`, or `3. [guard]` for the third choice of a state that decides at once. */
  readonly labels: readonly string[];
};

type Step = { readonly source: string; readonly target: string; readonly label: string };

const transition = z.union([
  z.string().transform((target): Transition => ({ target })),
  z.strictObject({
    target: z.string().optional(),
    guard: z.string().optional(),
    actions: z.union([z.string(), z.array(z.string())]).optional(),
    description: z.string().optional(),
  }),
]);
const transitions = z.union([
  z.array(transition),
  transition.transform((only): readonly Transition[] => [only]),
]);

/** The static, pure form that our charts have; anything more is refused. */
const stateConfig = z.strictObject({
  type: z.literal('final').optional(),
  description: z.string().optional(),
  initial: z.string().optional(),
  on: z.record(z.string(), transitions).optional(),
  always: transitions.optional(),
  get states() {
    return z.record(z.string(), stateConfig).optional();
  },
});
const chartConfig = stateConfig.extend({ id: z.string(), context: z.unknown().optional() });
type StateConfig = z.infer<typeof stateConfig>;
type Transition = {
  readonly target?: string | undefined;
  readonly guard?: string | undefined;
};

/**
 * @param definition a machine's configuration (`machine.config`), which is plain data.
 * @throws {z.ZodError} when it holds what our charts never do (timers, calls, entry actions).
 */
export const chartModel = (definition: unknown): Chart => {
  // As JSON: `setup` leaves keys without a value in it.
  const config = chartConfig.parse(JSON.parse(JSON.stringify(definition)));
  const { kind, states, initial } = stateOf('', config.id, config);
  assert(kind === 'composite', `the chart ${config.id} has states`);
  const chart = { id: config.id, states, initial: required(initial, 'a chart has an initial') };
  return { ...chart, edges: joined(stepsOf('', config, config.id)) };
};

const pathOf = (parent: string, name: string): string =>
  parent === '' ? name : `${parent}.${name}`;
/** No name of a state holds a star. */
const anyOf = (path: string): string => pathOf(path, '*');

const stateOf = (path: string, name: string, config: StateConfig): ChartState => {
  const children = Object.entries(config.states ?? {});
  if (children.length === 0)
    return { path, name, kind: config.type === 'final' ? 'final' : 'plain', states: [] };
  const initial = required(config.initial, `the state ${name} says which substate is entered`);
  assert(config.states?.[initial] !== undefined, `the state ${name} has its initial ${initial}`);
  const inner = children.map(([child, childConfig]) =>
    stateOf(pathOf(path, child), child, childConfig),
  );
  if (config.on !== undefined)
    inner.push({ path: anyOf(path), name: 'any of these', kind: 'any', states: [] });
  return { path, name, kind: 'composite', initial: pathOf(path, initial), states: inner };
};

const stepsOf = (path: string, config: StateConfig, id: string): readonly Step[] => {
  const source = config.states === undefined ? path : anyOf(path);
  const target = ({ target: written }: Transition): string =>
    written === undefined ? source : resolve(written, path, id);
  return [
    ...(config.always ?? []).map((choice, index) => ({
      source,
      target: target(choice),
      label: `${index + 1}. [${choice.guard ?? 'else'}]`,
    })),
    ...Object.entries(config.on ?? {}).flatMap(([event, given]) =>
      given.map((choice) => ({
        source,
        target: target(choice),
        label: choice.guard === undefined ? event : `${event} [${choice.guard}]`,
      })),
    ),
    ...Object.entries(config.states ?? {}).flatMap(([name, child]) =>
      stepsOf(pathOf(path, name), child, id),
    ),
  ];
};

/** `#chart.path` from the root, `.child` inside, a bare name beside. */
const resolve = (written: string, path: string, id: string): string => {
  if (written.startsWith(`#${id}.`)) return written.slice(id.length + 2);
  if (written.startsWith('.')) return pathOf(path, written.slice(1));
  const parent = path.split('.').slice(0, -1).join('.');
  return pathOf(parent, written);
};

/** Steps between the same two states become one edge, with their labels in order. */
const joined = (steps: readonly Step[]): readonly ChartEdge[] => {
  const edges = new Map<string, ChartEdge & { readonly labels: string[] }>();
  for (const { source, target, label } of steps) {
    const key = `${source} ${target}`;
    const known = edges.get(key);
    if (known === undefined) edges.set(key, { source, target, labels: [label] });
    else known.labels.push(label);
  }
  return [...edges.values()];
};
