import { expect } from 'vitest';
import type { Command, RejectionReason } from '../../src/domain/commands.ts';
import type { AuditEvent, EventType } from '../../src/domain/events.ts';
import { evolve } from '../../src/decider/evolve.ts';
import { execute } from '../../src/decider/execute.ts';
import { checkInvariants } from '../../src/decider/invariants.ts';
import { initialState, plainState, type AuditState } from '../../src/decider/state.ts';

/** Given these events, when this command comes, then these events follow (with what follows them). */
export const given = (...history: readonly AuditEvent[]) => {
  const state = history.reduce(evolve, initialState());
  return {
    state,
    when: (command: Command) => {
      const before = JSON.stringify(plainState(state));
      const execution = execute(state, command);
      if (execution.kind === 'decided' && state.writer.isOpen) checkInvariants(state);
      return {
        state,
        events: execution.kind === 'decided' ? execution.events : [],
        then: (...expected: readonly Partial<AuditEvent>[]) => {
          expect(execution.kind).toBe('decided');
          if (execution.kind === 'decided') {
            expect(execution.events).toMatchObject(expected as object[]);
          }
          return state;
        },
        thenTypes: (...types: readonly EventType[]): AuditState => {
          expect(
            execution.kind === 'decided' ? execution.events.map(({ type }) => type) : execution,
          ).toEqual(types);
          return state;
        },
        rejects: (code: RejectionReason) => {
          expect(execution).toMatchObject({ kind: 'rejected', rejection: { code } });
          expect(JSON.stringify(plainState(state)), 'a rejected command changes nothing').toBe(
            before,
          );
        },
      };
    },
  };
};
