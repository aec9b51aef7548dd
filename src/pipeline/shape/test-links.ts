import { z } from 'zod';
import { compareText } from '../../std/canonical-json.ts';
import type { ImportEdge } from '../import-edge.ts';
import { isDeclarationFile, isTrialPath } from './path-kinds.ts';

/** A test and a source file that it is about. */
export const testLink = z.object({
  test: z.string(),
  source: z.string(),
  /** By what the files are called, or because the test imports the source. */
  by: z.enum(['name', 'import']),
  confidence: z.number().min(0).max(1),
});
export type TestLink = z.infer<typeof testLink>;

/**
 * Links tests to sources by the naming conventions of the languages (`x.test.ts`, `test_x.py`,
 * `XTest.java`, `x_spec.rb`, …) and by imports. A name that fits several files links to the one in the
 * same folder or its mirror (`src/a/x` for `test/a/x`), else to none.
 *
 * @param isTest of each included source file.
 */
export const deriveTestLinks = (
  files: ReadonlyMap<string, { readonly isTest: boolean }>,
  edges: readonly ImportEdge[],
): TestLink[] => {
  const links = new Map<string, TestLink>();
  const add = (link: TestLink): void => {
    const key = `${link.test}\n${link.source}`;
    if ((links.get(key)?.confidence ?? 0) < link.confidence) links.set(key, link);
  };
  const byStem = new Map<string, string[]>();
  const byMirror = new Map<string, string[]>();
  for (const [path, { isTest }] of files) {
    if (isTest || isTrialPath(path) || isDeclarationFile(path)) continue;
    const { folder, stem, ending } = partsOf(path);
    push(byStem, `${ending}\n${stem}`, path);
    push(byMirror, `${ending}\n${stem}\n${mirrorOf(folder)}`, path);
  }
  for (const [test, { isTest }] of files) {
    if (!isTest) continue;
    const { folder, stem, ending } = partsOf(test);
    for (const subject of subjectsOf(stem)) {
      const mirrored = byMirror.get(`${ending}\n${subject}\n${mirrorOf(folder)}`) ?? [];
      // A test that bears its source's own name says so only by its place.
      const same = subject === stem ? [] : (byStem.get(`${ending}\n${subject}`) ?? []);
      const [only] = mirrored.length === 1 ? mirrored : same.length === 1 ? same : [];
      if (only === undefined) continue;
      add({ test, source: only, by: 'name', confidence: mirrored.length === 1 ? 0.95 : 0.7 });
      break;
    }
  }
  for (const { from, to, kind, confidence = 1 } of edges) {
    if (kind === 'type' || files.get(from)?.isTest !== true) continue;
    if (files.get(to)?.isTest === false) {
      add({ test: from, source: to, by: 'import', confidence: 0.9 * confidence });
    }
  }
  return [...links.values()].toSorted(
    (left, right) => compareText(left.test, right.test) || compareText(left.source, right.source),
  );
};

const push = (table: Map<string, string[]>, key: string, value: string): void => {
  const known = table.get(key);
  if (known === undefined) table.set(key, [value]);
  // More than two say no more than that the name is not enough.
  else if (known.length < 2) known.push(value);
};

const partsOf = (
  path: string,
): { readonly folder: string; readonly stem: string; readonly ending: string } => {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  const ending = dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
  return {
    folder: path.slice(0, Math.max(slash, 0)),
    stem: (dot <= 0 ? name : name.slice(0, dot)).toLowerCase(),
    ending: ENDING_FAMILY.get(ending) ?? ending,
  };
};

/** Endings whose files are tested from one another. */
const ENDING_FAMILY = new Map([
  ...['js', 'jsx', 'mjs', 'cjs', 'ts', 'tsx', 'mts', 'cts', 'vue', 'svelte'].map(
    (ending) => [ending, 'js'] as const,
  ),
  ...['java', 'kt', 'groovy', 'scala'].map((ending) => [ending, 'jvm'] as const),
  ...['c', 'cc', 'cpp', 'cxx', 'h', 'hpp'].map((ending) => [ending, 'c'] as const),
]);

/** What a test of this name would be a test of, the likeliest first. */
const subjectsOf = (stem: string): readonly string[] => {
  const subjects = [
    /^(.+?)[._-](?:tests?|specs?|e2e|it|unit|integration)(?:[._-][a-z]+)?$/.exec(stem)?.[1],
    /^tests?[._-](.+)$/.exec(stem)?.[1],
    /^(.+?)(?:tests?|testcase|specs?|it)$/.exec(stem)?.[1],
    /^test(.+)$/.exec(stem)?.[1],
    // In a folder of tests the name may be the source's own.
    stem,
  ];
  return subjects.filter((subject) => subject !== undefined && subject !== '') as string[];
};

const NEUTRAL: ReadonlySet<string> = new Set(
  'src lib app main source java kotlin scala groovy test tests __tests__ spec specs unit integration e2e'.split(
    ' ',
  ),
);

/** A folder without what tells tests and sources apart: the same for a source and its mirror. */
const mirrorOf = (folder: string): string =>
  folder
    .split('/')
    .filter((name) => !NEUTRAL.has(name.toLowerCase()))
    .join('/');
