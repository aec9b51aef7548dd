import ignore from 'ignore';
import { counted } from '../../std/counted.ts';
import type { ImportEdge } from '../import-edge.ts';
import { isDeclarationFile, isTrialPath } from '../shape/path-kinds.ts';
import { folderOf } from '../tree-paths.ts';
import { EVIDENCE_MAX, type Assessment, type AssessmentRule } from './assessment.ts';
import { packageCycles } from './cycles.ts';

/** A direction that the user forbids: what matches `from` may not need what matches `to`. */
export type Boundary = { readonly from: string; readonly to: string };

type PackageNeeds = {
  readonly manifest: string;
  readonly name?: string | undefined;
  readonly dependencies: readonly string[];
};

/**
 * Dependencies against a direction that is stated, or that needs no statement:
 *
 * `source-needs-test`: code that ships loads a test file. `undeclared-package`: a package of the
 * repository uses another by its name and does not say so in its manifest. `reaches-into-package`: it
 * imports a file of another by a path out of its own folder. `package-cycle`: packages of the
 * repository that need each other. `forbidden-dependency`: what the user's boundaries forbid.
 *
 * Each pair of folders is told once, with the first lines that show it and their number.
 */
export const assessLayering = (given: {
  readonly edges: readonly ImportEdge[];
  readonly packages: readonly PackageNeeds[];
  readonly isTest: (path: string) => boolean;
  readonly isCode: (path: string) => boolean;
  readonly boundaries?: readonly Boundary[] | undefined;
}): readonly Assessment[] => {
  const found = createGroups();
  const packageOf = packageFinder(given.packages);
  const between = new Map<string, ImportEdge>();
  const boundaries = (given.boundaries ?? []).map(({ from, to }) => ({
    isFrom: matcher(from),
    isTo: matcher(to),
  }));
  for (const edge of given.edges) {
    const { from, to, kind, source } = edge;
    if (boundaries.some(({ isFrom, isTo }) => isFrom(from) && isTo(to))) {
      found.add('forbidden-dependency', [from, to].map(folderOf), edge);
    }
    if (kind === 'type' || isDeclarationFile(from) || isDeclarationFile(to)) continue;
    if (given.isTest(from) || isTrialPath(from) || TOOLS.test(from)) continue;
    if (given.isTest(to) && given.isCode(from)) found.add('source-needs-test', [to], edge);
    const [mine, theirs] = [packageOf(from), packageOf(to)];
    if (mine === undefined || theirs === undefined || mine === theirs || mine.folder === '')
      continue;
    if (theirs.folder === '' || isNested(mine.folder, theirs.folder)) continue;
    const pair = [mine.folder, theirs.folder];
    if (!given.isTest(to)) between.set(pair.join('\n'), between.get(pair.join('\n')) ?? edge);
    if (source === undefined) found.add('reaches-into-package', pair, edge);
    else if (
      theirs.name !== undefined &&
      !mine.dependencies.has(theirs.name) &&
      !CONFIG.test(from)
    ) {
      found.add('undeclared-package', pair, edge);
    }
  }
  return [...found.list(), ...packageCycles(between)];
};

const SENTENCES: Partial<Record<AssessmentRule, (imports: number) => string>> = {
  'forbidden-dependency': (count) =>
    `${counted(count, 'import')} against a boundary of the settings.`,
  'source-needs-test': (count) =>
    `${counted(count, 'import')} of a test file by code that is no test.`,
  'undeclared-package': (count) =>
    `${counted(count, 'import')} of another package of the repository that the package's manifest does not name.`,
  'reaches-into-package': (count) =>
    `${counted(count, 'import')} by path of files inside of another package, past what it exports.`,
};

/** What developers run may take what it likes, as examples do. */
const TOOLS = /(?:^|\/)(?:scripts?|tools?|tooling)\//;
const CONFIG = /\.config\.[cm]?[jt]s$/;

const matcher = (pattern: string): ((path: string) => boolean) => {
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(pattern);
  return (path) => rules.ignores(path);
};

const createGroups = () => {
  const groups = new Map<string, { readonly rule: AssessmentRule; readonly edges: ImportEdge[] }>();
  return {
    add: (rule: AssessmentRule, key: readonly string[], edge: ImportEdge): void => {
      const name = [rule, ...key].join('\n');
      const known = groups.get(name);
      if (known === undefined) groups.set(name, { rule, edges: [edge] });
      else known.edges.push(edge);
    },
    list: (): readonly Assessment[] =>
      [...groups.values()].map(({ rule, edges }) => ({
        rule,
        statement: SENTENCES[rule]?.(edges.length) ?? rule,
        paths: [...new Set(edges.flatMap(({ from, to }) => [from, to]))].slice(0, EVIDENCE_MAX),
        evidence: edges.slice(0, EVIDENCE_MAX).map(({ from, line, kind, to }) => ({
          path: from,
          line,
          note: `${kind} of ${to}`,
        })),
        figures: { imports: edges.length },
        strength: edges.length,
      })),
  };
};

type Package = {
  readonly folder: string;
  readonly name: string | undefined;
  readonly dependencies: ReadonlySet<string>;
};

/** The innermost package around a file. Only those with a name are: others only hold settings. */
const packageFinder = (
  packages: readonly PackageNeeds[],
): ((path: string) => Package | undefined) => {
  const byFolder = new Map<string, Package>();
  for (const { manifest, name, dependencies } of packages) {
    if (name === undefined || !manifest.endsWith('package.json')) continue;
    const folder = folderOf(manifest);
    byFolder.set(folder, { folder, name, dependencies: new Set(dependencies) });
  }
  const known = new Map<string, Package | undefined>();
  const find = (folder: string): Package | undefined => {
    if (known.has(folder)) return known.get(folder);
    const own = byFolder.get(folder);
    const found = own ?? (folder === '' ? undefined : find(folderOf(folder)));
    known.set(folder, found);
    return found;
  };
  return (path) => find(folderOf(path));
};

const isNested = (one: string, other: string): boolean =>
  one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
