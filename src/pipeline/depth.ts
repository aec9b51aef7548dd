import type { Depth } from '../domain/depth.ts';
import type { BundledLens, FileRole, Reviewer } from '../domain/vocabulary.ts';
import { LENSES_OF_ROLE } from './lens-selection.ts';
import type { PacketBudget } from './packet-budget.ts';

/** What a depth comes to: see its words in the domain. */
export type DepthRules = {
  readonly budget: PacketBudget;
  /** Why a file of this role is not asked about under this lens; undefined: it is. */
  readonly whyNot: (role: FileRole, lens: BundledLens) => string | undefined;
  /** Share of the plan's tokens, from its beginning, that is kept. */
  readonly share: number;
};

export const depthRules = (depth: Depth, reviewer: Reviewer, budget: PacketBudget): DepthRules => {
  // Analyzers say by themselves what they cover.
  if (reviewer === 'analyzers') return { budget, whyNot: () => undefined, share: 1 };
  switch (depth) {
    case 'quick':
      return {
        budget,
        whyNot: (role, lens) =>
          QUICK_LENSES.has(lens) ? notOfRole(role, lens) : 'not asked at depth quick',
        share: QUICK_SHARE,
      };
    case 'standard':
      return { budget, whyNot: notOfRole, share: 1 };
    case 'deep':
      return {
        budget: { ...budget, tokensMax: halved(budget.tokensMax) },
        whyNot: (role, lens) => (DEEP_ROLES.has(role) ? undefined : notOfRole(role, lens)),
        share: 1,
      };
  }
};

const halved = (tokens: number): number =>
  Math.min(tokens, Math.max(DEEP_TOKENS_MIN, Math.floor(tokens / 2)));

const notOfRole = (role: FileRole, lens: BundledLens): string | undefined =>
  LENSES_OF_ROLE[role].has(lens) ? undefined : notAsked(role);

/** Why a file has no task under a lens that is for files of other kinds. */
export const notAsked = (role: FileRole): string => `not asked of ${ROLE_NAME[role]}`;

const QUICK_LENSES: ReadonlySet<BundledLens> = new Set(['security', 'correctness', 'reliability']);
const QUICK_SHARE = 0.25;
const DEEP_ROLES: ReadonlySet<FileRole> = new Set(['code', 'test', 'config']);
/** Halving stops where the fixed part of the prompt would be most of a packet. */
const DEEP_TOKENS_MIN = 12_000;

const ROLE_NAME = {
  code: 'source code',
  test: 'tests',
  config: 'configuration',
  prose: 'prose',
  style: 'style sheets',
  data: 'data files',
} as const satisfies Record<FileRole, string>;
