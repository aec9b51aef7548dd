import { digestOf } from '../std/digest.ts';
import type { PlannedTask } from '../domain/events.ts';
import { taskId } from '../domain/ids.ts';
import type { Assessment, AssessmentRule } from './design/assessment.ts';
import { quoteText } from './fenced.ts';
import { createLensGuide } from './lens-guide.ts';
import { promptContract } from './prompt.ts';
import type { FileOf } from './review-facts.ts';
import { fileTokens, promptTokens, utf8Length } from './token-model.ts';

/** A task about the design of several files, and the line of JSON that says what it is about. */
export type DesignQuestion = { readonly task: PlannedTask; readonly question: string };

/** More than this an agent is not asked about the design of one tree. */
export const DESIGN_TASKS_MAX = 12;
const FILES_MAX = 8;
const QUESTION_BYTES_MAX = 4000;

/**
 * Questions for agents about the strongest assessments: one of each rule, then a second of each, so
 * that forty cycles do not keep out the one layering that is wrong. Each is a task of kind `design`
 * under the lens architecture, over as many of its files as `tokensMax` holds, the most telling first;
 * one whose first file alone is too large is not asked. The id is a digest of the question and of the
 * files' content. They look at no cell: the files are reviewed by other tasks.
 *
 * @param assessments by rule, the strongest of each first.
 * @param tokensMax for the files and the question of one task.
 */
export const planDesignReview = (
  assessments: readonly Assessment[],
  fileOf: FileOf,
  tokensMax: number,
): readonly DesignQuestion[] =>
  inTurns(assessments)
    .flatMap((one) => ask(one, fileOf, tokensMax) ?? [])
    .slice(0, DESIGN_TASKS_MAX);

const inTurns = (assessments: readonly Assessment[]): readonly Assessment[] => {
  const seen = new Map<AssessmentRule, number>();
  return assessments
    .map((one) => {
      const turn = seen.get(one.rule) ?? 0;
      seen.set(one.rule, turn + 1);
      return { one, turn };
    })
    .toSorted((left, right) => left.turn - right.turn)
    .map(({ one }) => one);
};

const ask = (one: Assessment, fileOf: FileOf, tokensMax: number): DesignQuestion | undefined => {
  const question = questionOf(one);
  let tokens = promptTokens(utf8Length(question));
  const paths: string[] = [];
  for (const path of one.paths.slice(0, FILES_MAX)) {
    const file = fileOf(path);
    if (file?.digest === undefined) continue;
    tokens += fileTokens(file);
    if (tokens > tokensMax) break;
    paths.push(path);
  }
  if (paths.length === 0) return undefined;
  const task = { kind: 'design', lens: 'architecture', unit: `design:${one.rule}`, paths } as const;
  const content = paths.map((path) => [path, fileOf(path)?.digest ?? '']);
  const contract = promptContract(task.lens, createLensGuide());
  const id = taskId.parse(
    `t-${digestOf([task.kind, contract, task.unit, content, question]).slice(0, 16)}`,
  );
  return { task: { id, ...task, paths: [...paths] }, question };
};

/** As one line of JSON, with as much of the evidence as has room. */
const questionOf = ({ rule, statement, figures, evidence }: Assessment): string => {
  for (let count = evidence.length; ; count -= 1) {
    const shown = evidence
      .slice(0, count)
      .map(
        ({ path, line, note }) =>
          `{"file":${quoteText(path)},"line":${line},"note":${quoteText(note)}}`,
      );
    const text =
      `{"rule":${quoteText(rule)},"statement":${quoteText(statement)},` +
      `"figures":${JSON.stringify(figures)},"evidence":[${shown.join(',')}]}`;
    if (count === 0 || utf8Length(text) <= QUESTION_BYTES_MAX) return text;
  }
};
