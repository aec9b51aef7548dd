import { compareText } from '../std/canonical-json.ts';
import { counted } from '../std/counted.ts';
import { baseWords, type SelectedFiles, type Selection } from '../domain/selection.ts';
import type { ImportEdge } from './import-edge.ts';
import type { RiskOf } from './risk.ts';
import type { TestLink } from './shape/test-links.ts';

export type SelectionInput = {
  readonly selection: Pick<Selection, 'changed' | 'deleted'>;
  /** Whether a file is reviewed at all, changed or not. */
  readonly isReviewed: (path: string) => boolean;
  /** Imports, those of deleted files too. */
  readonly edges: readonly Pick<ImportEdge, 'from' | 'to' | 'kind' | 'confidence'>[];
  readonly tests: readonly TestLink[];
  readonly riskOf: RiskOf;
};

/**
 * Chooses what is reviewed when something changed.
 *
 * All changed files are in. Of what is near them, which is what imports them, directly or over one
 * file, and the tests that are about them, as many as `nearMax` says: the nearest first, of those the
 * tests that are named for a changed file, then the riskiest. An import counts by its confidence, one
 * of types by half; a way below `STRENGTH_MIN` is none. Nothing goes on through a hub, which half of a
 * repository imports: that it is near says nothing. The cost is that of the edges.
 */
export const selectFiles = (input: SelectionInput): SelectedFiles => {
  const { selection, isReviewed, riskOf } = input;
  const seeds = [...new Set([...selection.changed, ...selection.deleted])];
  const importers = strongestImporters(input.edges);
  const tests = namedTests(input.tests);
  const found = findNear(seeds, importers, tests);
  const near = [...found]
    .filter(([path]) => isReviewed(path))
    .map(([path, way]) => ({ path, ...way }))
    .toSorted(
      (left, right) =>
        left.hops - right.hops ||
        Number(right.isNamed) - Number(left.isNamed) ||
        riskOf(right.path) - riskOf(left.path) ||
        compareText(left.path, right.path),
    );
  // A changed text that nothing depends on makes no room for more files near another one.
  const bound = nearMax(seeds.filter((path) => importers.has(path) || tests.has(path)).length);
  return {
    changed: [...new Set(selection.changed)].filter(isReviewed).toSorted(compareText),
    near: near.slice(0, bound).map(({ path, hops, by }) => ({ path, hops, by })),
    beyond: near
      .slice(bound)
      .map(({ path }) => path)
      .toSorted(compareText),
  };
};

/**
 * How many files near what changed are reviewed at most.
 *
 * @param changes changed and deleted files that anything depends on.
 */
export const nearMax = (changes: number): number =>
  changes === 0 ? 0 : Math.min(Math.max(NEAR_FEW, 2 * changes), NEAR_MANY);

const NEAR_FEW = 6;
const NEAR_MANY = 200;
const HOPS_MAX = 2;
const STRENGTH_MIN = 0.5;
/** With more files that import it, a file is a hub. */
export const HUB_IMPORTERS = 12;

/** Why a file is not reviewed though it could be; undefined: it is selected. */
export const whyNotSelected = (
  selection: Selection,
  { changed, near, beyond }: SelectedFiles,
): ((path: string) => string | undefined) => {
  const selected = new Set([...changed, ...near.map(({ path }) => path)]);
  const cutOff = new Set(beyond);
  const base = baseWords(selection);
  const bound = counted(near.length, 'other file');
  return (path) => {
    if (selected.has(path)) return undefined;
    return cutOff.has(path)
      ? `not changed ${base}; near what changed, but after the ${bound} that are nearer or riskier`
      : `not changed ${base}, and nothing that changed is near`;
  };
};

type Way = {
  readonly hops: number;
  readonly by: string;
  readonly strength: number;
  /** A test that is named for what changed. */
  readonly isNamed: boolean;
};

/** A search by breadth from all that changed at once; of several ways the strongest counts. */
const findNear = (
  seeds: readonly string[],
  importers: Importers,
  tests: ReadonlyMap<string, readonly TestLink[]>,
): ReadonlyMap<string, Way> => {
  const isSeed = new Set(seeds);
  const found = new Map<string, Way>();
  let front: ReadonlyMap<string, number> = new Map(seeds.map((path) => [path, 1]));
  for (let hops = 1; hops <= HOPS_MAX; hops += 1) {
    const next = new Map<string, Way>();
    const offer = (path: string, way: Way): void => {
      if (isSeed.has(path) || found.has(path) || way.strength < STRENGTH_MIN) return;
      const known = next.get(path);
      next.set(path, known === undefined ? way : bestOf(way, known));
    };
    for (const [path, strength] of front) {
      if (hops === 1) {
        for (const { test, confidence } of tests.get(path) ?? [])
          offer(test, { hops, by: path, strength: confidence, isNamed: true });
      }
      const own = importers.get(path);
      if (own === undefined || (hops > 1 && own.size > HUB_IMPORTERS)) continue;
      for (const [importer, one] of own)
        offer(importer, { hops, by: path, strength: strength * one, isNamed: false });
    }
    for (const [path, way] of next) found.set(path, way);
    front = new Map([...next].map(([path, { strength }]) => [path, strength]));
  }
  return found;
};

const bestOf = (one: Way, other: Way): Way => {
  const isFirst =
    one.strength > other.strength ||
    (one.strength === other.strength && compareText(one.by, other.by) < 0);
  return { ...(isFirst ? one : other), isNamed: one.isNamed || other.isNamed };
};

type Importers = ReadonlyMap<string, ReadonlyMap<string, number>>;

const namedTests = (tests: readonly TestLink[]): ReadonlyMap<string, readonly TestLink[]> => {
  const bySource = new Map<string, TestLink[]>();
  for (const link of tests.filter(({ by }) => by === 'name')) {
    const known = bySource.get(link.source);
    if (known === undefined) bySource.set(link.source, [link]);
    else known.push(link);
  }
  return bySource;
};

/** By file, what imports it and how surely. */
const strongestImporters = (edges: SelectionInput['edges']): Importers => {
  const importers = new Map<string, Map<string, number>>();
  for (const { from, to, kind, confidence = 1 } of edges) {
    if (from === to) continue;
    const strength = kind === 'type' ? confidence * TYPE_STRENGTH : confidence;
    const own = importers.get(to) ?? new Map<string, number>();
    importers.set(to, own);
    own.set(from, Math.max(own.get(from) ?? 0, strength));
  }
  return importers;
};

const TYPE_STRENGTH = 0.5;
