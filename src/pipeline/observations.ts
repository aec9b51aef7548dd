import type { PlannedTask } from '../domain/events.ts';
import type { Observation } from '../domain/synthesis.ts';
import type { Assessment } from './design/assessment.ts';

/**
 * Assessments that no agent was heard about: they stay measurements. Whether what they measure is a
 * defect is a judgement, and where an agent gave one, its word stands among the findings or it found
 * nothing to say.
 *
 * @param judged design tasks whose results were accepted.
 */
export const observationsOf = (
  assessments: readonly Assessment[],
  judged: readonly Pick<PlannedTask, 'unit' | 'paths'>[],
): Observation[] => {
  const open = new Map<string, Set<Pick<PlannedTask, 'unit' | 'paths'>>>();
  for (const task of judged) {
    const known = open.get(task.unit);
    if (known === undefined) open.set(task.unit, new Set([task]));
    else known.add(task);
  }
  return assessments.flatMap((one) => {
    const paths = new Set(one.paths);
    const asked = open.get(`design:${one.rule}`);
    const answer = [...(asked ?? [])].find((task) => task.paths.every((path) => paths.has(path)));
    if (answer !== undefined) {
      // One task is about one assessment, though another may name the same files.
      asked?.delete(answer);
      return [];
    }
    const { rule, statement, evidence, figures } = one;
    return [{ rule, statement, paths: [...one.paths], evidence: [...evidence], figures }];
  });
};
