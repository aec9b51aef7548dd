import type { ImportEdge } from '../import-edge.ts';
import type { History } from '../shape/history.ts';
import { folderOf } from '../tree-paths.ts';
import type { Assessment } from './assessment.ts';

/**
 * `changes-together`: two source files in different folders that mostly change in the same commits,
 * though no import leads from one to the other. Something ties them together that the code does not say.
 */
export const assessChangesTogether = (
  history: History,
  edges: readonly ImportEdge[],
  isCode: (path: string) => boolean,
): readonly Assessment[] => {
  if (history.together.length === 0) return [];
  const tied = new Set(edges.flatMap(({ from, to }) => [`${from}\n${to}`, `${to}\n${from}`]));
  return history.together.flatMap(({ paths, commits, share }): readonly Assessment[] => {
    const [one, other] = paths;
    if (!isCode(one) || !isCode(other) || folderOf(one) === folderOf(other)) return [];
    if (tied.has(`${one}\n${other}`)) return [];
    return [
      {
        rule: 'changes-together',
        statement: `These two changed together in ${commits} of the last ${history.commits} commits, ${Math.round(share * 100)} % of those that changed the quieter one, and neither imports the other.`,
        paths: [one, other],
        evidence: [],
        figures: { commits, share, looked: history.commits },
        strength: commits * share,
      },
    ];
  });
};
