import { chartModel, type ChartState } from './chart-model.ts';

/**
 * A machine's configuration as a mermaid `stateDiagram-v2`, which code hosts draw in place.
 *
 * @param definition `machine.config`, as JSON.
 * @returns the diagram, ended by a newline; the same text for the same chart.
 */
export const chartMermaid = (definition: unknown): string => {
  const chart = chartModel(definition);
  const lines = [
    'stateDiagram-v2',
    `  [*] --> ${mermaidId(chart.initial)}`,
    ...chart.states.flatMap((state) => drawn(state, '  ')),
    ...chart.edges.map(
      ({ source, target, labels }) =>
        `  ${mermaidId(source)} --> ${mermaidId(target)}: ${labels.join(', ')}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
};

const drawn = (state: ChartState, indent: string): readonly string[] => {
  const id = mermaidId(state.path);
  const named = `${indent}state "${state.name}" as ${id}`;
  switch (state.kind) {
    case 'plain':
    case 'any':
      return [named];
    case 'final':
      return [named, `${indent}${id} --> [*]`];
    case 'composite':
      return [
        `${named} {`,
        ...(state.initial === undefined ? [] : [`${indent}  [*] --> ${mermaidId(state.initial)}`]),
        ...state.states.flatMap((inner) => drawn(inner, `${indent}  `)),
        `${indent}}`,
      ];
  }
};

/** Mermaid reads letters, digits and underscores only; our names hold no underscore. */
const mermaidId = (path: string): string => path.replaceAll('.', '_').replaceAll('*', 'any');
