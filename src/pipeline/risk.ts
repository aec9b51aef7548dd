import { z } from 'zod';
import { compareText } from '../std/canonical-json.ts';
import type { InventoryFile } from './inventory.ts';
import { roleOf } from './lens-selection.ts';
import type { FileRole } from '../domain/vocabulary.ts';
import { isDeclarationFile, isTrialPath } from './shape/path-kinds.ts';

/** How much it matters to look at a file early: from 0 (nothing known) to 10. */
export type RiskOf = (path: string) => number;

/** What is known of a file; what is not known counts as nothing. */
export type RiskFacts = {
  /** 1: it is certainly entered from outside; less with less confidence and with distance. */
  readonly entrance?: number;
  /** Flows that go through it, each by its confidence. */
  readonly flows?: number;
  /** What it touches, by weight and confidence. */
  readonly sinks?: number;
  /** Files that need it. */
  readonly fanIn?: number;
  readonly branches?: number;
  readonly definitions?: number;
  readonly commits?: number;
  readonly authors?: number;
  /** 1: no test is near; 0.5: tests reach it through others; 0: a test is about it, or not asked. */
  readonly untested?: number;
};

const parts = z.object({
  entrance: z.number(),
  flows: z.number(),
  sinks: z.number(),
  fanIn: z.number(),
  size: z.number(),
  branching: z.number(),
  churn: z.number(),
  untested: z.number(),
  name: z.number(),
});
export type RiskParts = z.infer<typeof parts>;

export const riskRegister = z.object({
  /** Sorted by path. `parts` says what the score is made of; those that are 0 are left out. */
  files: z.array(z.object({ path: z.string(), score: z.number(), parts: parts.partial() })),
  /** Sorted by score, the highest first. */
  units: z.array(z.object({ id: z.string(), score: z.number(), files: z.int().positive() })),
});
export type RiskRegister = z.infer<typeof riskRegister>;

/**
 * Scores every file. Each part is `weight × x / (x + half)`: it grows with every further dependant,
 * change or line, always less, and never reaches its weight, so that no two files meet at a ceiling.
 * The weights add up to 10. Only the order of the work depends on a score: nothing is left out by it.
 *
 * What is not code scores less, by its role: a sample in a test matters less than the same in a server.
 */
export const deriveRisk = (given: {
  readonly files: readonly InventoryFile[];
  readonly factsOf: (path: string) => RiskFacts;
  readonly units: readonly { readonly id: string; readonly files: readonly string[] }[];
}): RiskRegister => {
  const files = given.files.map((file) => {
    const factor = factorOf(file);
    const weighed = Object.entries(partsOf(file, given.factsOf(file.path)))
      .map(([name, value]) => [name, round(value * factor)] as const)
      .filter(([, value]) => value > 0);
    return {
      path: file.path,
      score: round(weighed.reduce((sum, [, value]) => sum + value, 0)),
      parts: Object.fromEntries(weighed) as Partial<RiskParts>,
    };
  });
  const scores = new Map(files.map(({ path, score }) => [path, score]));
  return {
    files: files.toSorted((left, right) => compareText(left.path, right.path)),
    units: given.units
      .map(({ id, files: members }) => ({
        id,
        score: unitScore(members.map((path) => scores.get(path) ?? 0)),
        files: members.length,
      }))
      .toSorted((left, right) => right.score - left.score || compareText(left.id, right.id)),
  };
};

/** A file that the register does not know has no risk. */
export const createRiskOf = (register: Pick<RiskRegister, 'files'>): RiskOf => {
  const scores = new Map(register.files.map(({ path, score }) => [path, score]));
  return (path) => scores.get(path) ?? 0;
};

/** Scores by what the inventory and the imports alone say, where nothing else is known. */
export const createRisk = (
  files: readonly InventoryFile[],
  edges: readonly { readonly from: string; readonly to: string }[],
): RiskOf => {
  const fanIn = new Map<string, number>();
  for (const { to } of edges) fanIn.set(to, (fanIn.get(to) ?? 0) + 1);
  return createRiskOf(
    deriveRisk({ files, units: [], factsOf: (path) => ({ fanIn: fanIn.get(path) ?? 0 }) }),
  );
};

const grows = (weight: number, value: number, half: number): number =>
  (weight * value) / (value + half);

const partsOf = (file: InventoryFile, facts: RiskFacts): RiskParts => ({
  entrance: grows(2, facts.entrance ?? 0, 0.5),
  flows: grows(2, facts.flows ?? 0, 2),
  sinks: grows(2, facts.sinks ?? 0, 0.7),
  fanIn: grows(1.2, facts.fanIn ?? 0, 10),
  size: grows(0.6, file.lines, 600),
  // Where the tree was not read, the file is small; what it defines stands for its branches.
  branching: grows(0.6, facts.branches ?? 2 * (facts.definitions ?? 0), 60),
  churn: grows(0.8, (facts.commits ?? 0) + (facts.authors ?? 0), 20),
  untested: 0.4 * (facts.untested ?? 0),
  name: grows(0.4, sensitiveWords(file.path), 1),
});

const factorOf = (file: InventoryFile): number =>
  FACTOR[roleOf(file)] *
  (isDeclarationFile(file.path) ? 0.3 : 1) *
  (isTrialPath(file.path) ? 0.5 : 1);

const FACTOR: Readonly<Record<FileRole, number>> = {
  code: 1,
  config: 0.6,
  test: 0.15,
  prose: 0.1,
  style: 0.1,
  data: 0.1,
};

/** Mean of the five riskiest: one terrible file makes a unit risky, a hundred harmless ones do not help it. */
const unitScore = (scores: readonly number[]): number => {
  const top = scores.toSorted((left, right) => right - left).slice(0, 5);
  return round(top.reduce((sum, score) => sum + score, 0) / Math.max(top.length, 1));
};

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** `lib/authToken.js` → lib, auth, token, js. */
const sensitiveWords = (path: string): number =>
  path
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => SENSITIVE.has(word)).length;

const SENSITIVE = new Set(
  `auth authentication authorization authorize login logout oauth oidc saml sso jwt session sessions
   cookie cookies csrf cors crypto cipher encrypt decrypt hash password passwords secret secrets token
   tokens credential credentials permission permissions acl rbac role roles admin sudo payment
   payments billing invoice checkout sanitize sanitizer escape deserialize exec shell upload uploads
   webhook webhooks migration migrations`.split(/\s+/),
);
