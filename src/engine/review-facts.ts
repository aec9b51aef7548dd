import type { AuditState } from '../decider/state.ts';
import { contextBudgetFor, packetBudgetFor } from '../pipeline/packet-budget.ts';
import type { Enrichment } from '../pipeline/enrichment.ts';
import type { Plan } from '../pipeline/planning.ts';
import { NO_CONTEXT, type ContextBudget } from '../pipeline/prompt.ts';
import { createReviewFacts, type ReviewFacts } from '../pipeline/review-facts.ts';
import { required } from '../std/assert.ts';
import type { Artifacts } from './artifacts.ts';
import { inventoryIndex } from './attempts.ts';

type Known = { readonly facts: ReviewFacts; readonly context: ContextBudget };

const known = new WeakMap<Plan, Known & { readonly enrichment: Enrichment | undefined }>();

/**
 * What prompts are made of after the plan: the same facts that it was made with, and leads that came
 * since, indexed once. Analyzers read no prompt, so for them there is no more than files and parts.
 */
export const reviewFacts = async (state: AuditState, artifacts: Artifacts): Promise<Known> => {
  const plan = await artifacts.find(state, 'planning');
  const fileOf = await inventoryIndex(state, artifacts);
  if (plan === undefined) return { facts: createReviewFacts({ fileOf }), context: NO_CONTEXT };
  const enrichment = await artifacts.find(state, 'enrichment');
  const before = known.get(plan);
  if (before !== undefined && before.enrichment === enrichment) return before;
  const { reviewer, ownLenses } = required(state.settings, 'I4: an audit has settings');
  const structure = await artifacts.find(state, 'structure');
  const made = {
    enrichment,
    facts: createReviewFacts({
      fileOf,
      parts: plan.parts ?? [],
      ownLenses,
      ...(reviewer === 'agent' && {
        edges: structure?.edges ?? [],
        tests: structure?.shape?.tests ?? [],
        outlines: plan.outlines ?? [],
        leads: enrichment?.leads ?? [],
      }),
    }),
    context: contextBudgetFor(reviewer, plan.budget ?? packetBudgetFor(reviewer, undefined)),
  };
  known.set(plan, made);
  return made;
};
