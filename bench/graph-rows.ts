import ts from 'typescript';
import { agreementOf, readFolder, type Agreement } from '../test/helpers/graph-oracle.ts';
import { graphOf } from '../test/helpers/import-graph-of.ts';
import { pythonGraph } from '../test/helpers/python-oracle.ts';
import { typescriptGraph } from '../test/helpers/typescript-oracle.ts';
import { grouped } from '../src/std/counted.ts';
import { packageTree } from './trees.ts';

/** How far the graph of one tree agrees with that of an independent resolver. */
export type GraphRow = { readonly cells: readonly string[]; readonly ok: boolean };

export const GRAPH_HEADS = [
  'import graph of',
  'resolver',
  'files',
  'its edges',
  'ours',
  'precision',
  'recall',
  'ok',
] as const;

/** What both sides agree on, at the least. */
const AGREEMENT_LEAST = 0.98;
const COMPILER = `TypeScript ${ts.versionMajorMinor}`;
const DIFFERENCES_SHOWN = 15;
/** No file of Python's library is longer. */
const LONGEST_BYTES = 10_000_000;
const MODULES = /\.(?:[cm]?[jt]sx?|json)$/;

/**
 * Import graphs of published packages against the TypeScript compiler's own resolution, and of parts of
 * Python's library against Python's own parser. Differences are told one by one.
 *
 * @param folder where packages may be unpacked.
 */
export const measureGraphs = async (
  folder: string,
  say: (sentence: string) => void,
): Promise<readonly GraphRow[]> => {
  const rows: GraphRow[] = [];
  for (const { name, version } of PACKAGES) {
    const tree = packageTree({ name, version }, folder);
    if (tree === undefined) {
      say(`${name} ${version} is left out: npm cannot get it`);
      continue;
    }
    const files = readFolder(tree, MODULES);
    const { edges } = await graphOf(files);
    const found = new Set(edges.map(({ from, to }) => `${from} ${to}`));
    const agreement = agreementOf(found, typescriptGraph(tree, files));
    const modules = Object.keys(files).filter((path) => !path.endsWith('.json'));
    rows.push(graphRow(`${name} ${version}`, COMPILER, modules.length, agreement, say));
  }
  return [...rows, ...(await measurePython(say))];
};

const measurePython = async (say: (sentence: string) => void): Promise<readonly GraphRow[]> => {
  const asked = pythonGraph(LONGEST_BYTES);
  if (asked === undefined) {
    say('Python is left out: there is no python3');
    return [];
  }
  const texts = readFolder(asked.root, /\.py$/);
  const tree = Object.fromEntries(asked.files.map((path) => [path, texts[path] ?? '']));
  const { edges } = await graphOf(tree);
  const parsed = new Set(asked.asked);
  const ours = edges.filter(({ from }) => parsed.has(from));
  const theirs = asked.pairs.filter(([, to]) => to in tree);
  return PYTHON_PARTS.map((part) => {
    const isIn = (path: string): boolean => part === '' || path.startsWith(`${part}/`);
    const agreement = agreementOf(
      new Set(ours.filter(({ from }) => isIn(from)).map(({ from, to }) => `${from} ${to}`)),
      new Set(theirs.filter(([from]) => isIn(from)).map(([from, to]) => `${from} ${to}`)),
    );
    const name = part === '' ? "Python's library, whole" : `${part} of it`;
    return graphRow(name, "Python's ast", asked.asked.filter(isIn).length, agreement, say);
  });
};

const graphRow = (
  name: string,
  resolver: string,
  files: number,
  { expected, found, precision, recall, invented, missed }: Agreement,
  say: (sentence: string) => void,
): GraphRow => {
  say(`${name}: ${invented.length} edges are ours alone, ${missed.length} are its alone`);
  for (const pair of invented.slice(0, DIFFERENCES_SHOWN)) say(`  ours  ${pair}`);
  for (const pair of missed.slice(0, DIFFERENCES_SHOWN)) say(`  its   ${pair}`);
  const ok = precision >= AGREEMENT_LEAST && recall >= AGREEMENT_LEAST;
  return {
    ok,
    cells: [
      name,
      resolver,
      ...[files, expected, found].map(grouped),
      precision.toFixed(4),
      recall.toFixed(4),
      ok ? 'yes' : 'NO',
    ],
  };
};

/** TypeScript sources, modules of both kinds, and what compilers made of them. */
const PACKAGES = [
  { name: 'typeorm', version: '0.3.31' },
  { name: 'date-fns', version: '4.4.0' },
  { name: 'fastify', version: '5.12.8' },
  { name: 'undici', version: '8.13.1' },
  { name: 'express', version: '5.3.0' },
  { name: 'webpack', version: '5.113.0' },
  { name: 'zod', version: '4.6.7' },
  { name: 'rxjs', version: '7.8.2' },
  { name: 'msw', version: '3.0.5' },
  { name: 'svelte', version: '5.57.3' },
  { name: '@nestjs/core', version: '12.5.1' },
  { name: 'viem', version: '2.57.20' },
] as const;

const PYTHON_PARTS = ['', 'asyncio', 'email', 'json', 'unittest', 'multiprocessing'] as const;
