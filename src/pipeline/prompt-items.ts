import type { PlannedTask } from '../domain/events.ts';
import type { FilePart } from './split-file.ts';
import type { ReviewFacts } from './review-facts.ts';

/** A file of a packet, or a part of one, under the number that its prompt's tasks name it by. */
export type PromptItem = {
  readonly number: number;
  readonly key: string;
  readonly path: string;
  /** Lines of the whole file. */
  readonly lines: number;
  readonly part: FilePart | undefined;
};

/** What the tasks are about, each file or part once, in the order in which they name it. */
export const promptItems = (
  tasks: readonly PlannedTask[],
  facts: Pick<ReviewFacts, 'fileOf' | 'partOf'>,
): readonly PromptItem[] => {
  const items = new Map<string, PromptItem>();
  for (const task of tasks) {
    for (const { path, range, key } of taskFiles(task)) {
      if (items.has(key)) continue;
      items.set(key, {
        number: items.size + 1,
        key,
        path,
        lines: facts.fileOf(path)?.lines ?? 0,
        part: range && facts.partOf(range),
      });
    }
  }
  return [...items.values()];
};

/** The files of a task, each with its range if it has one and a key that tells them apart. */
export const taskFiles = ({ paths, ranges = [] }: Pick<PlannedTask, 'paths' | 'ranges'>) => {
  const byPath = new Map(ranges.map((range) => [range.path, range]));
  return paths.map((path) => {
    const range = byPath.get(path);
    const key = range === undefined ? path : `${path}#${range.line}.${range.bytes?.from ?? 0}`;
    return { path, range, key };
  });
};
