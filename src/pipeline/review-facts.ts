import type { Lead } from '../domain/finding.ts';
import type { FileRange } from '../domain/file-range.ts';
import type { TaskId } from '../domain/ids.ts';
import type { LensDefinition } from '../domain/lens-definition.ts';
import type { RelatedEdge } from './affinity.ts';
import type { InventoryFile } from './inventory.ts';
import { createLensGuide, type GuideOf } from './lens-guide.ts';
import { roleOf } from './lens-selection.ts';
import type { NamedDefinition, Outline } from './outline.ts';
import type { FilePart } from './split-file.ts';

/** A file of the inventory by its path; undefined when it has none. */
export type FileOf = (path: string) => InventoryFile | undefined;

/** Who needs whom, as seen from one file. All lists sorted by path, each file once. */
export type Relations = {
  readonly imports: readonly string[];
  readonly importedBy: readonly string[];
  readonly tests: readonly string[];
};

/** What prompts and packets are made of besides tasks: all that is known of their files. */
export type ReviewFacts = {
  readonly fileOf: FileOf;
  /** The part that a range names; undefined for none of the plan's. */
  readonly partOf: (range: FileRange) => FilePart | undefined;
  readonly relationsOf: (path: string) => Relations;
  readonly leadsOf: (path: string) => readonly Lead[];
  readonly definitionsOf: (path: string) => readonly NamedDefinition[];
  readonly guideOf: GuideOf;
  /** What a task of kind `design` is about, as a line of JSON. */
  readonly questionOf?: ((task: TaskId) => string | undefined) | undefined;
  /** Why a task of kind `deepening` reads its files once more, likewise. */
  readonly againOf?: ((task: TaskId) => string | undefined) | undefined;
};

/** Indexes what the stages derived. What is left out is not known, and prompts do not speak of it. */
export const createReviewFacts = (given: {
  readonly fileOf: FileOf;
  readonly parts?: readonly FilePart[];
  /** In any order. */
  readonly edges?: readonly RelatedEdge[];
  /** Tests and what they are about, whether or not they import it. */
  readonly tests?: readonly { readonly test: string; readonly source: string }[];
  /** Sorted by path. */
  readonly leads?: readonly Lead[];
  readonly outlines?: readonly Outline[];
  /** Definitions of the lenses that are not ours. */
  readonly ownLenses?: readonly LensDefinition[] | undefined;
}): ReviewFacts => {
  const parts = new Map((given.parts ?? []).map((part) => [rangeKey(part), part]));
  const imports = new Map<string, Set<string>>();
  const importedBy = new Map<string, Set<string>>();
  for (const { from, to } of given.edges ?? []) {
    addTo(imports, from, to);
    addTo(importedBy, to, from);
  }
  const tests = new Map<string, Set<string>>();
  for (const { test, source } of given.tests ?? []) addTo(tests, source, test);
  const outlines = new Map((given.outlines ?? []).map((one) => [one.path, one.definitions]));
  const leads = new Map<string, Lead[]>();
  for (const lead of given.leads ?? []) {
    const known = leads.get(lead.place.path);
    if (known === undefined) leads.set(lead.place.path, [lead]);
    else known.push(lead);
  }
  const known = new Map<string, boolean>();
  const isTest = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const file = given.fileOf(path);
    const is = file !== undefined && roleOf(file) === 'test';
    known.set(path, is);
    return is;
  };
  return {
    fileOf: given.fileOf,
    partOf: (range) => parts.get(rangeKey(range)),
    relationsOf: (path) => {
      const users = [...(importedBy.get(path) ?? [])].toSorted();
      return {
        imports: [...(imports.get(path) ?? [])].toSorted(),
        importedBy: users.filter((user) => !isTest(user)),
        tests: [...new Set([...users.filter(isTest), ...(tests.get(path) ?? [])])].toSorted(),
      };
    },
    leadsOf: (path) => leads.get(path) ?? [],
    definitionsOf: (path) => outlines.get(path) ?? [],
    guideOf: createLensGuide(given.ownLenses),
  };
};

const addTo = (index: Map<string, Set<string>>, key: string, value: string): void => {
  const known = index.get(key);
  if (known === undefined) index.set(key, new Set([value]));
  else known.add(value);
};

const rangeKey = ({ path, line, endLine, bytes }: FileRange): string =>
  `${line}:${endLine}:${bytes?.from ?? ''} ${path}`;
