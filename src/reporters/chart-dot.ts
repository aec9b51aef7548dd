import { required } from '../std/assert.ts';
import { chartModel, type ChartState } from './chart-model.ts';

/**
 * A machine's configuration as a graphviz digraph: `casefile machine audit --format dot | dot -Tsvg`.
 *
 * @param definition `machine.config`, as JSON.
 * @returns the graph, ended by a newline; the same text for the same chart.
 */
export const chartDot = (definition: unknown): string => {
  const chart = chartModel(definition);
  const composites = new Map(
    chart.states.flatMap(compositesIn).map((state) => [state.path, state]),
  );

  /** Graphviz joins nodes only; an edge to a box ends at its initial state, cut at the border. */
  const leafOf = (path: string): string => {
    const composite = composites.get(path);
    return composite === undefined
      ? path
      : leafOf(required(composite.initial, `the state ${path} has an initial`));
  };
  const edge = (source: string, target: string, attributes: readonly string[]): string => {
    const head = composites.has(target) ? [`lhead=${quoted(`cluster ${target}`)}`] : [];
    const all = [...attributes, ...head].join(', ');
    return `  ${quoted(source)} -> ${quoted(leafOf(target))}${all === '' ? '' : ` [${all}]`};`;
  };

  const lines = [
    `digraph ${quoted(chart.id)} {`,
    '  compound=true;',
    '  node [shape=box, style=rounded];',
    '  "" [shape=point];',
    ...chart.states.flatMap((state) => drawn(state, '  ')),
    edge('', chart.initial, []),
    ...chart.edges.map(({ source, target, labels }) =>
      edge(source, target, [`label=${quoted(labels.join('\n'))}`]),
    ),
    '}',
  ];
  return `${lines.join('\n')}\n`;
};

const compositesIn = (state: ChartState): readonly ChartState[] =>
  state.kind === 'composite' ? [state, ...state.states.flatMap(compositesIn)] : [];

const drawn = (state: ChartState, indent: string): readonly string[] => {
  const label = `label=${quoted(state.name)}`;
  switch (state.kind) {
    case 'plain':
      return [`${indent}${quoted(state.path)} [${label}];`];
    case 'any':
      return [`${indent}${quoted(state.path)} [${label}, style=dashed];`];
    case 'final':
      return [`${indent}${quoted(state.path)} [${label}, peripheries=2];`];
    case 'composite':
      return [
        `${indent}subgraph ${quoted(`cluster ${state.path}`)} {`,
        `${indent}  ${label};`,
        ...state.states.flatMap((inner) => drawn(inner, `${indent}  `)),
        `${indent}}`,
      ];
  }
};

/** Graphviz takes the two characters `\n` for the end of a line. */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
