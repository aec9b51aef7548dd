import type { LensDefinition } from '../domain/lens-definition.ts';
import type { Reviewer } from '../domain/vocabulary.ts';
import { fixedPromptBytes, NO_CONTEXT, type ContextBudget } from './prompt.ts';
import { promptTokens } from './token-model.ts';

/** What one packet may come to: estimated input tokens, and tasks to be answered. */
export type PacketBudget = { readonly tokensMax: number; readonly tasksMax: number };

/**
 * What suits a provider. Of an agent's context the packet may take two fifths: its own instructions,
 * its thoughts, what else it looks up in the tree and the answer need the rest. More than about 40,000
 * tokens at once nobody reads with care, however large the context. Analyzers have read everything
 * before; large packets only spare starts.
 *
 * @param contextTokens what the provider says of itself; undefined: it does not know.
 */
export const packetBudgetFor = (
  reviewer: Reviewer,
  contextTokens: number | undefined,
): PacketBudget => {
  switch (reviewer) {
    case 'agent': {
      const share = Math.floor((contextTokens ?? Infinity) * CONTEXT_SHARE);
      return { tokensMax: Math.min(CAREFUL_TOKENS, share), tasksMax: 100 };
    }
    case 'analyzers':
      return { tokensMax: 400_000, tasksMax: 400 };
  }
};

const CONTEXT_SHARE = 0.4;
const CAREFUL_TOKENS = 40_000;

/** Bytes of a prompt for context: at most about an eighth of a packet. Analyzers read no prompt. */
export const contextBudgetFor = (reviewer: Reviewer, budget: PacketBudget): ContextBudget =>
  reviewer === 'analyzers'
    ? NO_CONTEXT
    : {
        graphBytesMax: Math.min(9000, Math.floor(budget.tokensMax / 4)),
        leadBytesMax: Math.min(3000, Math.floor(budget.tokensMax / 12)),
      };

/** Below this no file of ordinary length has a place beside the prompt. */
export const PACKET_TOKENS_MIN = 8000;

/**
 * Tokens of a packet that are left for its files and tasks.
 *
 * @throws {RangeError} when the budget is too small for any.
 */
export const usableTokens = (
  budget: PacketBudget,
  context: ContextBudget,
  ownLenses: readonly LensDefinition[] = [],
): number => {
  if (budget.tokensMax < PACKET_TOKENS_MIN) {
    throw new RangeError(
      `a packet of ${budget.tokensMax} tokens has no room for files: at least ${PACKET_TOKENS_MIN} are needed`,
    );
  }
  const fixedBytes = fixedPromptBytes(ownLenses);
  const bytes = fixedBytes + context.graphBytesMax + context.leadBytesMax + FENCE_BYTES;
  const usable = budget.tokensMax - promptTokens(bytes);
  if (usable < USABLE_TOKENS_MIN) {
    throw new RangeError(
      `the guides of lenses ${ownLenses.map(({ id }) => id).join(', ')} leave ${Math.max(usable, 0)} tokens of a packet of ${budget.tokensMax} for files: shorten them, or ask fewer at once`,
    );
  }
  return usable;
};

const USABLE_TOKENS_MIN = 2000;

/** Longer fences than the shortest, and ends of lines. */
const FENCE_BYTES = 1000;
