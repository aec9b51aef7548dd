import type { PlannedTask } from '../domain/events.ts';
import type { TaskRecord } from '../decider/state.ts';

/** A task as it was planned, without what has become of it. */
export const plannedTaskOf = ({
  id,
  kind,
  unit,
  lens,
  paths,
  ranges,
  about,
}: TaskRecord): PlannedTask => ({
  id,
  kind,
  unit,
  lens,
  paths: [...paths],
  ...(ranges !== undefined && { ranges: [...ranges] }),
  ...(about !== undefined && { about }),
});
