import { expect, test } from 'vitest';
import { agreementOf, readFolder, sayFigures } from '../../helpers/graph-oracle.ts';
import { graphOf } from '../../helpers/import-graph-of.ts';
import { pythonGraph } from '../../helpers/python-oracle.ts';

const answer = pythonGraph(40_000);

test.skipIf(answer === undefined)(
  "on Python's own library, the graph is the one that its parser sees",
  async () => {
    const { root = '', files = [], asked = [], pairs = [] } = answer ?? {};
    const parsed = new Set(asked);
    const texts = readFolder(root, /\.py$/);
    const tree = Object.fromEntries(
      files.map((path) => [path, parsed.has(path) ? (texts[path] ?? '') : '']),
    );
    const { edges } = await graphOf(tree);
    const expected = new Set(
      pairs.filter(([, to]) => to in tree).map(([from, to]) => `${from} ${to}`),
    );
    const found = new Set(edges.map(({ from, to }) => `${from} ${to}`));
    const { invented, missed, ...figures } = agreementOf(found, expected);
    sayFigures('python', asked.length, figures);
    expect(invented.slice(0, 20)).toEqual([]);
    expect(missed.slice(0, 20)).toEqual([]);
    expect(figures.precision).toBeGreaterThanOrEqual(0.98);
    expect(figures.recall).toBeGreaterThanOrEqual(0.98);
  },
);
