import type { Rejection, RejectionReason } from '../domain/commands.ts';
import type { AuditEvent } from '../domain/events.ts';
import type { EventNumber } from '../domain/ids.ts';
import type { AuditState } from './state.ts';

/** What `decide` gives. `of`: the event that the command answers, for the commit's cause. */
export type Decision =
  | { readonly kind: 'decided'; readonly events: readonly AuditEvent[]; readonly of?: EventNumber }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export const decided = (events: readonly AuditEvent[], of?: EventNumber): Decision =>
  of === undefined ? { kind: 'decided', events } : { kind: 'decided', events, of };

export const rejected = (code: RejectionReason, message: string): Decision => ({
  kind: 'rejected',
  rejection: { code, message },
});

/** Whether a stage's report answers what is asked now, on the inputs that hold now. */
export const isCurrentStage = (
  state: AuditState,
  obligation: string,
  basis: EventNumber,
): boolean => state.lifecycle.path === `deriving.${obligation}` && basis === state.basis;

export const notCurrent = (): Decision =>
  rejected('not-current', 'The stage is not asked for, or its inputs have changed since.');
