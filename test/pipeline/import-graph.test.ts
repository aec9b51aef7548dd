import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readFolder } from '../helpers/graph-oracle.ts';
import { graphOf, shownEdges } from '../helpers/import-graph-of.ts';

const REPOS = 'fixtures/repos';

/** Each `imports-<language>` folder has its edges beside it, written by hand, one a line. */
const fixtures = readdirSync(REPOS)
  .filter((name) => name.endsWith('.edges'))
  .map((name) => name.replace('.edges', ''));

describe('every form of import leads where a person says it does', () => {
  test.each(fixtures)('%s', async (name) => {
    const graph = await graphOf(readFolder(`${REPOS}/${name}`, /./));
    const unresolved = graph.unresolved.map(
      ({ path, line, specifier }) => `unresolved ${path}:${line} ${specifier}`,
    );
    const expected = readFileSync(`${REPOS}/${name}.edges`, 'utf8').trim().split('\n');
    expect([...shownEdges(graph), ...unresolved]).toEqual(expected);
  });
});
