import { digestOf } from '../../std/digest.ts';
import type { Causes, Wish } from './wish.ts';

/** What stewards asked to be looked at more closely, in their words. */
export const followUps = ({ reviewed }: Pick<Causes, 'reviewed'>): readonly Wish[] =>
  reviewed.flatMap(({ task, result }) =>
    (result.followUps ?? []).map(({ paths, question }): Wish => ({
      trigger: 'follow-up',
      lens: task.lens,
      unit: task.unit,
      paths,
      key: digestOf([task.id, paths, question]),
      why: { cause: 'A reviewer of the whole asked for this.', question },
    })),
  );
