import type { Lens } from '../../domain/vocabulary.ts';
import { compareText } from '../../std/canonical-json.ts';
import type { Causes, Wish } from './wish.ts';

/**
 * What was called clean though it matters: input from outside goes through it, or an analyzer says
 * something of it under the same lens. It is read a second time, by somebody who does not know that it
 * was called clean. The riskiest first.
 */
export const secondLooks = ({
  reviewed,
  riskOf,
  isInFlow,
  leadsOf,
}: Pick<Causes, 'reviewed' | 'riskOf' | 'isInFlow' | 'leadsOf'>): readonly Wish[] =>
  reviewed
    .filter(
      ({ task, result }) =>
        task.kind === 'review' &&
        result.verdict === 'clean' &&
        LENSES_THAT_MATTER.has(task.lens) &&
        task.paths.some(
          (path) => isInFlow(path) || leadsOf(path).some(({ lens }) => lens === task.lens),
        ),
    )
    .map(({ task }) => ({ task, risk: riskiest(task.paths, riskOf) }))
    .toSorted((left, right) => right.risk - left.risk || compareText(left.task.id, right.task.id))
    .map(({ task }) => ({
      trigger: 'clean',
      lens: task.lens,
      unit: task.unit,
      paths: task.paths,
      ...(task.ranges !== undefined && { ranges: task.ranges }),
      key: task.id,
      why: { cause: 'These files matter under this point of view and are read by two reviewers.' },
    }));

const LENSES_THAT_MATTER: ReadonlySet<Lens> = new Set<Lens>([
  'security',
  'data_integrity',
  'reliability',
  'correctness',
]);

const riskiest = (paths: readonly string[], riskOf: (path: string) => number): number => {
  let most = 0;
  for (const path of paths) most = Math.max(most, riskOf(path));
  return most;
};
