import type { Command } from '../../src/domain/commands.ts';
import { EVENT_TYPES, type AuditEvent } from '../../src/domain/events.ts';
import { evolve } from '../../src/decider/evolve.ts';
import { execute } from '../../src/decider/execute.ts';
import { initialState, type AuditState } from '../../src/decider/state.ts';
import { accepts, advance, derives, judges, LATER, reports } from './command-samples.ts';
import { blob, planned } from './samples.ts';

/** Gives commands one after the other, each made from the state as it is then; an event is folded. */
export const after = (
  history: readonly AuditEvent[],
  ...commands: readonly (Command | AuditEvent | ((state: AuditState) => Command))[]
): AuditEvent[] => {
  const state = history.reduce(evolve, initialState());
  const events = [...history];
  for (const given of commands) {
    const command = typeof given === 'function' ? given(state) : given;
    if (isEvent(command)) {
      evolve(state, command);
      events.push(command);
      continue;
    }
    const execution = execute(state, command);
    if (execution.kind === 'rejected') throw new Error(execution.rejection.message);
    events.push(...execution.events);
  }
  return events;
};

const isEvent = (given: Command | AuditEvent): given is AuditEvent =>
  EVENT_TYPES.some((type) => type === given.type);

/** The oldest open lease ends with an answer that no other attempt has given. */
export const answers = (state: AuditState): Command => {
  const [token] = state.leases;
  return reports(
    token ?? 0,
    { kind: 'exited' },
    blob(`answer ${token}`),
    Math.max(LATER, state.at),
  );
};

/** The oldest waiting answer is taken, with a clean result for each task of its packet. */
export const takesAll = (state: AuditState): Command => {
  const [waiting] = state.queue;
  const tasks = state.packets.get(waiting?.[1].packet ?? ('' as never))?.spec.tasks ?? [];
  return judges(
    waiting?.[0] ?? 0,
    tasks.map((task) => accepts(Number.parseInt(task.slice(2), 16))),
    undefined,
    Math.max(LATER, state.at),
  );
};

/** One packet, reviewed; the synthesis is asked for. */
export const reviewed = (): AuditEvent[] => after(planned([[1]]), advance(), answers, takesAll);

export const completed = (): AuditEvent[] => after(reviewed(), derives);
