import type { Command } from '../domain/commands.ts';
import type { AuditEvent } from '../domain/events.ts';
import type { Instant } from '../domain/ids.ts';
import { decided, isCurrentStage, notCurrent, type Decision } from './decision.ts';
import type { AuditState } from './state.ts';

/** Planned work is written in pieces of at most this many (M3). */
const CHUNK = 500;

/** A stage gave its artifact; work that came with it stands before it in the same commit (M3). */
export const decideDerived = (
  state: AuditState,
  command: Extract<Command, { type: 'ReportDerived' }>,
): Decision => {
  if (!isCurrentStage(state, command.obligation, command.basis)) return notCurrent();
  const tasks = (command.tasks ?? []).filter(({ id }) => !state.tasks.has(id));
  const packets = (command.packets ?? []).filter(({ id }) => !state.packets.has(id));
  const added = tasks.filter(
    ({ paths, inherited }) =>
      inherited === undefined && !paths.some((path) => state.drifted.has(path)),
  );
  const open = state.counts.tasks.open + added.length;
  const plansWork = command.obligation === 'planning' || command.obligation === 'synthesis';
  const used = [...new Set(command.consumed)].filter(
    (of) => state.inputs.get(of)?.isConsumed === false,
  );
  return decided([
    ...used.map((of): AuditEvent => ({
      type: 'ExternalInputConsumed',
      of,
      imported: 0,
      refused: [],
      at: command.now,
    })),
    ...chunks(tasks).map((chunk): AuditEvent => ({ type: 'TasksPlanned', tasks: chunk })),
    ...chunks(packets).map((chunk): AuditEvent => ({ type: 'PacketsPlanned', packets: chunk })),
    ...(command.deepeningEnd === undefined || state.deepeningEnded !== undefined
      ? []
      : [{ type: 'DeepeningEnded' as const, ...command.deepeningEnd, at: command.now }]),
    {
      type: 'ArtifactDerived',
      obligation: command.obligation,
      artifact: command.artifact,
      ...(plansWork && { openWork: open > 0 }),
      ...(command.incomplete !== undefined &&
        command.incomplete.length > 0 && { incomplete: [...command.incomplete] }),
      at: command.now,
    },
    ...(command.obligation === 'synthesis' && tasks.some(({ inherited }) => inherited !== undefined)
      ? [answeredAlready(open > 0, command.now)]
      : []),
  ]);
};

/** What earlier audits have answered is part of the synthesis that asked for it: it is made again. */
const answeredAlready = (openWork: boolean, at: Instant): AuditEvent => ({
  type: 'ArtifactsStale',
  obligations: ['synthesis', 'narrative'],
  reason: 'Earlier audits have answered what was asked after the synthesis.',
  openWork,
  at,
});

const chunks = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, index) =>
    items.slice(index * CHUNK, (index + 1) * CHUNK),
  );
