import { expect, test } from 'vitest';
import { deriveDesignAssessment } from '../../src/pipeline/design-assessment.ts';
import type { ImportEdge } from '../../src/pipeline/import-edge.ts';
import type { Structure } from '../../src/pipeline/structure.ts';

const structureWith = (edges: readonly ImportEdge[]): Structure => ({
  units: [],
  edges: [...edges],
  syntaxErrors: [],
  unresolved: [],
  parsed: [],
});

const edge = (from: string, to: string, kind: ImportEdge['kind'] = 'import'): ImportEdge => ({
  from,
  to,
  kind,
  line: 1,
});

test('a cycle is told with the edges that make it', () => {
  const { cycles } = deriveDesignAssessment(
    structureWith([edge('a', 'b'), edge('b', 'c', 'require'), edge('c', 'a'), edge('d', 'a')]),
  );
  expect(cycles).toEqual([
    {
      files: ['a', 'b', 'c'],
      evidence: [edge('a', 'b'), edge('b', 'c', 'require'), edge('c', 'a')],
    },
  ]);
});

test('what is gone or comes later when modules load makes no cycle', () => {
  const { cycles } = deriveDesignAssessment(
    structureWith([
      edge('a', 'b'),
      edge('b', 'a', 'type'),
      edge('b', 'a', 'dynamic'),
      edge('a', 'a'),
    ]),
  );
  expect(cycles).toEqual([]);
});

test('a hub stands out by number and among its like; in a small tree there is none', () => {
  const many = Array.from({ length: 60 }, (_, index) => edge(`f${index}`, 'hub'));
  expect(deriveDesignAssessment(structureWith(many)).hubs).toEqual([
    { path: 'hub', fanIn: 60, fanOut: 0 },
  ]);
  expect(deriveDesignAssessment(structureWith(many.slice(0, 10))).hubs).toEqual([]);
});
