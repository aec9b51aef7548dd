import { answerResult, type AnswerFinding } from '../domain/answer.ts';
import type { Finding, TaskResult } from '../domain/finding.ts';
import type { ProviderId } from '../domain/vocabulary.ts';
import { prepareAnchorText } from './anchor.ts';
import { judgeResult, type BriefTask, type JudgedTask } from './judge-answer.ts';

/**
 * Judges a result that an earlier audit accepted, by the rules for any answer and against the files of
 * this audit: places, quotes and fingerprints are made anew. For the same content they come out the same.
 *
 * @param read a file's text in the frozen tree; undefined when it cannot be read.
 * @returns undefined when it would not be accepted today: then the task is asked again.
 */
export const judgeInherited = (
  task: BriefTask,
  stored: Pick<TaskResult, 'verdict' | 'findings'>,
  context: {
    readonly provider: ProviderId;
    readonly read: (path: string) => string | undefined;
  },
): Extract<JudgedTask, { kind: 'accepted' }> | undefined => {
  const { verdict, findings } = stored;
  const result = answerResult.safeParse(
    verdict === 'clean'
      ? { task: task.id, verdict }
      : { task: task.id, verdict, findings: findings.map(statedFinding) },
  );
  if (!result.success || (verdict === 'clean' && findings.length > 0)) return undefined;
  // Without the file, "not found in it" would be no more than a guess.
  if (findings.some(({ place }) => context.read(place.path) === undefined)) return undefined;
  const judged = judgeResult(task, result.data, {
    provider: context.provider,
    sourceOf: (path) => {
      const text = context.read(path);
      return text === undefined ? undefined : prepareAnchorText(text);
    },
  });
  return judged.kind === 'accepted' ? judged : undefined;
};

/** A finding as its reviewer stated it, at the place where it was found. */
const statedFinding = (found: Finding): AnswerFinding => ({
  title: found.title,
  category: found.category,
  severity: found.severity,
  confidence: found.confidence,
  path: found.place.path,
  line: found.place.line,
  ...(found.place.endLine !== undefined && { endLine: found.place.endLine }),
  quote: found.quote,
  explanation: found.explanation,
  ...(found.suggestion !== undefined && { suggestion: found.suggestion }),
});
