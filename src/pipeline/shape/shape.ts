import { z } from 'zod';
import { compareText } from '../../std/canonical-json.ts';
import { includedFiles, type Disposition } from '../disposition.ts';
import type { FileFacts } from '../file-facts.ts';
import type { ImportEdge } from '../import-edge.ts';
import type { Inventory } from '../inventory.ts';
import { roleOf } from '../lens-selection.ts';
import { deriveRisk, riskRegister, type RiskFacts } from '../risk.ts';
import type { Unit } from '../units.ts';
import { deriveFlows, flow, type Flow } from './flows.ts';
import { history, type History } from './history.ts';
import { deriveManifestEdges, manifestEdge } from './manifest-edges.ts';
import { createOwners } from './owners.ts';
import type { PackageFacts } from './package-facts.ts';
import { sinkFact, sinksOf, type SinkFact } from './sinks.ts';
import { isDeclarationFile, isTrialPath } from './path-kinds.ts';
import { reachOf } from './reach.ts';
import { deriveSurfaces, surface, type Surface } from './surfaces.ts';
import { deriveTestLinks, testLink, type TestLink } from './test-links.ts';

/** What the tree is made of beyond its imports: where it is entered, what that reaches, how sure. */
export const shape = z.object({
  manifestEdges: z.array(manifestEdge),
  surfaces: z.array(surface),
  tests: z.array(testLink),
  sinks: z.array(sinkFact.extend({ path: z.string() })),
  flows: z.array(flow),
  /** Flows beyond those above; they were weaker. */
  flowsLeftOut: z.int().nonnegative(),
  history,
  /** Code that no test is about, and that none reaches over two imports; empty without any test. */
  untested: z.array(z.string()),
  /** Owners of units by a CODEOWNERS file; units without any are left out. */
  owners: z.array(z.object({ unit: z.string(), owners: z.array(z.string()) })),
  /** What packages say they need, by their manifest: for what they use without saying so. */
  packages: z.array(
    z.object({
      manifest: z.string(),
      name: z.string().optional(),
      dependencies: z.array(z.string()),
    }),
  ),
  risk: riskRegister,
});
export type Shape = z.infer<typeof shape>;

/** Everything here is linear in files, edges and entrances; each part says its own bounds. */
export const deriveShape = (given: {
  readonly inventory: Inventory;
  readonly disposition: Disposition;
  readonly modules: ReadonlyMap<string, FileFacts>;
  readonly edges: readonly ImportEdge[];
  readonly units: readonly Unit[];
  readonly history: History;
  /** The text of a CODEOWNERS file, if there is one. */
  readonly ownersText?: string | undefined;
}): Shape => {
  const included = includedFiles(given.inventory, given.disposition);
  const roles = new Map(included.map((file) => [file.path, roleOf(file)]));
  const isTest = (path: string): boolean => roles.get(path) === 'test';
  const facts = new Map(
    [...given.modules].filter(
      ([path]) =>
        (roles.get(path) === 'code' || roles.get(path) === 'config') && !isDeclarationFile(path),
    ),
  );
  const packages = new Map(
    [...given.modules].flatMap(([path, { packageFacts }]): [string, PackageFacts][] =>
      packageFacts === undefined ? [] : [[path, packageFacts]],
    ),
  );
  const manifestEdges = deriveManifestEdges(packages, new Set(included.map(({ path }) => path)));
  const surfaces = deriveSurfaces({ facts, entries: manifestEdges, packages });
  const sinks = new Map(
    [...facts].flatMap(([path, one]): [string, readonly SinkFact[]][] => {
      const found = sinksOf(one);
      return found.length === 0 ? [] : [[path, found]];
    }),
  );
  const { flows, leftOut } = deriveFlows({
    surfaces,
    sinks,
    edges: given.edges,
    isOutside: isTest,
  });
  const tests = deriveTestLinks(
    new Map(
      [...roles].flatMap(([path, role]) =>
        role === 'code' || role === 'test' ? [[path, { isTest: role === 'test' }] as const] : [],
      ),
    ),
    given.edges,
  );
  const coverage = testDistances(tests, given.edges, isTest);
  const hasTests = [...roles.values()].includes('test');
  const untested = hasTests
    ? [...facts.keys()]
        .filter((path) => roles.get(path) === 'code' && !coverage.has(path) && !isTrialPath(path))
        .toSorted(compareText)
    : [];
  const factsOf = riskFacts({ ...given, surfaces, sinks, flows, hasTests, coverage });
  return {
    manifestEdges,
    surfaces,
    tests,
    sinks: [...sinks].flatMap(([path, found]) => found.map((fact) => ({ path, ...fact }))),
    flows,
    flowsLeftOut: leftOut,
    history: given.history,
    untested,
    owners: ownersOfUnits(given.units, given.ownersText),
    packages: [...packages].map(([manifest, { name, dependencies }]) => ({
      manifest,
      ...(name !== undefined && { name }),
      dependencies,
    })),
    risk: deriveRisk({ files: included, factsOf, units: given.units }),
  };
};

/** How many imports lie between a test and a file: 0 for what a test is about, at most 2. */
const testDistances = (
  tests: readonly TestLink[],
  edges: readonly ImportEdge[],
  isTest: (path: string) => boolean,
): ReadonlyMap<string, number> => {
  const next = new Map<string, string[]>();
  for (const { from, to, kind } of edges) {
    if (kind === 'type' || isTest(from) || isTest(to)) continue;
    const known = next.get(from);
    if (known === undefined) next.set(from, [to]);
    else known.push(to);
  }
  const distances = new Map<string, number>();
  let front = [...new Set(tests.map(({ source }) => source))];
  for (let distance = 0; distance <= 2; distance += 1) {
    const fresh = front.filter((path) => !distances.has(path));
    for (const path of fresh) distances.set(path, distance);
    front = [...new Set(fresh.flatMap((path) => next.get(path) ?? []))];
  }
  return distances;
};

const SINK_WEIGHT: Readonly<Record<SinkFact['kind'], number>> = {
  auth: 1,
  money: 1,
  processes: 0.9,
  persistence: 0.6,
  files: 0.4,
  network: 0.3,
};

const riskFacts = (given: {
  readonly modules: ReadonlyMap<string, FileFacts>;
  readonly edges: readonly ImportEdge[];
  readonly history: History;
  readonly surfaces: readonly Surface[];
  readonly sinks: ReadonlyMap<string, readonly SinkFact[]>;
  readonly flows: readonly Flow[];
  readonly hasTests: boolean;
  readonly coverage: ReadonlyMap<string, number>;
}): ((path: string) => RiskFacts) => {
  const reach = reachOf(given.surfaces, given.edges);
  const flows = new Map<string, number>();
  for (const { path, confidence } of given.flows) {
    for (const file of path) flows.set(file, (flows.get(file) ?? 0) + confidence);
  }
  const dependants = new Map<string, Set<string>>();
  for (const { from, to } of given.edges) {
    const known = dependants.get(to);
    if (known === undefined) dependants.set(to, new Set([from]));
    else known.add(from);
  }
  const changes = new Map(given.history.files.map((file) => [file.path, file]));
  return (path) => {
    const distance = given.coverage.get(path);
    const facts = given.modules.get(path);
    const branches = facts?.signals?.branches;
    return {
      entrance: reach.get(path) ?? 0,
      flows: flows.get(path) ?? 0,
      sinks: (given.sinks.get(path) ?? []).reduce(
        (sum, { kind, confidence }) => sum + SINK_WEIGHT[kind] * confidence,
        0,
      ),
      fanIn: dependants.get(path)?.size ?? 0,
      ...(branches !== undefined && { branches }),
      definitions: facts?.definitions?.length ?? 0,
      commits: changes.get(path)?.commits ?? 0,
      authors: changes.get(path)?.authors ?? 0,
      untested: !given.hasTests || distance === 0 ? 0 : distance === undefined ? 1 : 0.5,
    };
  };
};

const ownersOfUnits = (units: readonly Unit[], text: string | undefined): Shape['owners'] => {
  if (text === undefined) return [];
  const ownersOf = createOwners(text);
  return units.flatMap(({ id, files }) => {
    const owners = [...new Set(files.flatMap((path) => ownersOf(path) ?? []))].toSorted();
    return owners.length === 0 ? [] : [{ unit: id, owners }];
  });
};
