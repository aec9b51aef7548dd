import { accountId } from '../domain/ids.ts';
import { LENSES } from '../domain/vocabulary.ts';
import { assert } from '../std/assert.ts';
import type { Provider } from './provider.ts';

/**
 * A conversation host or a person does the work: nothing is started. The audit goes to `blocked` with
 * packets that stand for themselves, and goes on when answers are handed in.
 */
export const createHandoffProvider = (): Provider => ({
  id: 'handoff',
  reviewer: 'agent',
  account: { id: accountId.parse('handoff'), ceiling: 1, source: 'declared' },
  lenses: LENSES,
  covers: () => true,
  run: () => {
    assert(false, 'the decider starts nothing with the provider that hands work off');
  },
});
