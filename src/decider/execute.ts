import type { CommitCause } from '../domain/commit.ts';
import type { Command, Rejection } from '../domain/commands.ts';
import type { AuditEvent } from '../domain/events.ts';
import { assert } from '../std/assert.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { follow } from './follow.ts';
import type { AuditState } from './state.ts';

export type Execution =
  /** `events` may be empty: the command is fine and nothing is to be said. */
  | {
      readonly kind: 'decided';
      readonly events: readonly AuditEvent[];
      readonly from: string;
      readonly to: string;
      readonly cause: CommitCause;
    }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

/** More rounds than any state can need: each either moves the chart on or shrinks a queue. */
const ROUNDS_MAX = 50;

/**
 * One decision, whole: what the command means, and what follows from it by itself, folded into the
 * appender's state as it is decided (C3). A rejected command leaves the state as it was.
 */
export const execute = (state: AuditState, command: Command): Execution => {
  const decision = decide(state, command);
  if (decision.kind === 'rejected') return decision;
  const from = state.lifecycle.path;
  const events: AuditEvent[] = [];
  const record = (more: readonly AuditEvent[]): void => {
    for (const event of more) {
      evolve(state, event);
      events.push(event);
    }
  };
  record(decision.events);
  for (let round = 0; ; round += 1) {
    const more = follow(state, command.now);
    if (more.length === 0) break;
    assert(round < ROUNDS_MAX, `I8: what follows from ${command.type} comes to an end`);
    record(more);
  }
  const cause = { command: command.type, ...(decision.of !== undefined && { of: decision.of }) };
  return { kind: 'decided', events, from, to: state.lifecycle.path, cause };
};
