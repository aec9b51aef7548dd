import { describe, expect, test } from 'vitest';
import { setup, type AnyStateMachine, type AnyStateNode } from 'xstate';
import { accountMachine } from '../../machines/account.machine.ts';
import { attemptMachine } from '../../machines/attempt.machine.ts';
import { auditMachine } from '../../machines/audit.machine.ts';
import { chartDot } from '../../src/reporters/chart-dot.ts';
import { chartJson } from '../../src/reporters/chart-json.ts';
import { chartMermaid } from '../../src/reporters/chart-mermaid.ts';
import { chartModel, type ChartState } from '../../src/reporters/chart-model.ts';

const kettle = setup({
  types: { events: {} as { type: 'Fill' | 'Heat' | 'Boil' | 'Pour' | 'Unplug' } },
  guards: { full: () => true, hot: () => true },
}).createMachine({
  id: 'kettle',
  initial: 'standing',
  states: {
    standing: {
      initial: 'choosing',
      states: {
        choosing: {
          always: [{ guard: 'full', target: 'filled' }, { target: 'empty' }],
        },
        empty: { on: { Fill: { target: 'filled' } } },
        filled: {
          on: { Heat: [{ guard: 'hot', target: '#kettle.boiling' }, {}], Boil: '#kettle.boiling' },
        },
      },
      on: { Unplug: { target: '.choosing' }, Pour: { target: 'empty' } },
    },
    boiling: { on: { Unplug: { target: 'standing' } } },
    empty: { type: 'final' },
  },
});

test('a chart is drawn with nested states, events, guards in their order, and its end', () => {
  expect(chartMermaid(kettle.config)).toBe(
    `stateDiagram-v2
  [*] --> standing
  state "standing" as standing {
    [*] --> standing_choosing
    state "choosing" as standing_choosing
    state "empty" as standing_empty
    state "filled" as standing_filled
    state "any of these" as standing_any
  }
  state "boiling" as boiling
  state "empty" as empty
  empty --> [*]
  standing_any --> standing_choosing: Unplug
  standing_any --> empty: Pour
  standing_choosing --> standing_filled: 1. [full]
  standing_choosing --> standing_empty: 2. [else]
  standing_empty --> standing_filled: Fill
  standing_filled --> boiling: Heat [hot], Boil
  standing_filled --> standing_filled: Heat
  boiling --> standing: Unplug
`,
  );
});

describe.each([
  ['kettle', kettle],
  ['account', accountMachine],
  ['attempt', attemptMachine],
  ['audit', auditMachine],
] satisfies [string, AnyStateMachine][])('every drawing of the %s chart', (_name, machine) => {
  const definition: unknown = machine.config;

  test('has each state once, and each transition that the machine itself knows', () => {
    const chart = chartModel(definition);
    const states = chart.states.flatMap(withInner).filter(({ kind }) => kind !== 'any');
    const nodes = withInnerNodes(machine.root).slice(1);
    expect(states.map(({ path }) => path).toSorted()).toEqual(
      nodes.map((node) => node.path.join('.')).toSorted(),
    );

    const drawn = chart.edges.flatMap(({ source, target, labels }) =>
      labels.map((one) => `${source.replace(/\.?\*$/, '')} ${target} ${one}`),
    );
    const known = nodes.flatMap((node) =>
      [...node.transitions.values(), node.always ?? []]
        .flat()
        .map(({ target, guard, eventType }) => {
          const source = node.path.join('.');
          const inside = node.initial.target.length > 0 ? `${source}.*` : source;
          return `${source} ${target?.[0]?.path.join('.') ?? inside} ${eventType}|${textOf(guard)}`;
        }),
    );
    expect(drawn.map(comparable).toSorted()).toEqual(known.toSorted());
  });

  test('names no state that it has not drawn', () => {
    const text = chartMermaid(definition);
    const named = new Set([...text.matchAll(/ as (\w+)/g)].map(([, id]) => id));
    const used = [...text.matchAll(/^ *(\w+|\[\*\]) --> (\w+|\[\*\])/gm)].flatMap(
      ([, source, target]) => [source, target],
    );
    expect(used.filter((id) => id !== '[*]' && !named.has(id))).toEqual([]);
    expect(named.size).toBe(chartModel(definition).states.flatMap(withInner).length);
  });

  test('opens and closes as many boxes in graphviz as the chart has', () => {
    const text = chartDot(definition);
    const boxes = chartModel(definition)
      .states.flatMap(withInner)
      .filter((s) => s.kind === 'composite');
    expect(text.match(/subgraph/g)?.length ?? 0).toBe(boxes.length);
    expect(text.match(/^ *\}$/gm)?.length).toBe(boxes.length + 1);
  });

  test('is JSON that gives the configuration back', () => {
    expect(JSON.parse(chartJson(definition))).toEqual(definition);
  });
});

test.each([
  ['a timer', { after: { 1000: 'b' } }],
  ['a call', { invoke: { src: 'fetch' } }],
  ['an entry action', { entry: 'log' }],
])('a chart with %s is refused, for it would not be ours', (_what, extra) => {
  const definition = { id: 'x', initial: 'a', states: { a: extra, b: {} } };
  expect(() => chartMermaid(definition)).toThrow();
});

const withInner = (state: ChartState): readonly ChartState[] => [
  state,
  ...state.states.flatMap(withInner),
];

const withInnerNodes = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(withInnerNodes),
];

const textOf = (guard: unknown): string => (typeof guard === 'string' ? guard : '');

/** `source target Event [guard]` and `source target 2. [guard]` as `source target Event|guard`. */
const comparable = (drawn: string): string => {
  const [source = '', target = '', label = '', guard = ''] = drawn.split(' ');
  const event = /^\d+\.$/.test(label) ? '' : label;
  return `${source} ${target} ${event}|${guard.replace(/^\[(.*)\]$/, '$1').replace('else', '')}`;
};
