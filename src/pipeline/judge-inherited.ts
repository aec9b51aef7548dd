import { z } from 'zod';
import { answerFinding, type AnswerFinding } from '../domain/answer.ts';
import type { Finding, TaskResult } from '../domain/finding.ts';
import type { ProviderId } from '../domain/vocabulary.ts';
import { prepareAnchorText } from './anchor.ts';
import { judgeStatement, type BriefTask, type JudgedTask } from './judge-answer.ts';

/**
 * Judges a result that an earlier audit accepted, by the rules for any answer and against the files of
 * this audit: places, quotes and fingerprints are made anew. For the same content they come out the same.
 *
 * @param read a file's text in the frozen tree; undefined when it cannot be read.
 * @returns undefined when it would not be accepted today: then the task is asked again.
 */
export const judgeInherited = (
  task: BriefTask,
  stored: Pick<TaskResult, 'verdict' | 'findings' | 'quarantined'>,
  context: {
    readonly provider: ProviderId;
    readonly read: (path: string) => string | undefined;
  },
): Extract<JudgedTask, { kind: 'accepted' }> | undefined => {
  const { verdict, findings, quarantined = [] } = stored;
  const result = z.array(answerFinding).safeParse(findings.map(statedFinding));
  if (!result.success || (verdict === 'clean') !== (findings.length === 0)) return undefined;
  // Without the file, "not found in it" would be no more than a guess.
  if (findings.some(({ place }) => context.read(place.path) === undefined)) return undefined;
  const judged = judgeStatement(
    task,
    {
      at: '',
      statement: {
        kind: 'stated',
        verdict,
        findings: result.data.map((one, index) => ({
          at: `findings[${index}]`,
          finding: one,
          raw: one,
        })),
        quarantined,
        troubles: [],
        followUps: [],
        repairs: [],
      },
    },
    {
      provider: context.provider,
      roots: [],
      sourceOf: (path) => {
        const text = context.read(path);
        return text === undefined ? undefined : prepareAnchorText(text);
      },
    },
  );
  if (judged.kind === 'rejected') return undefined;
  const isWhole = (judged.result.quarantined ?? []).length === quarantined.length;
  if (!isWhole) return undefined;
  const known = new Map(findings.map((one) => [one.id, one.stated?.path]));
  const kept = judged.result.findings.map((one) => withStatedPath(one, known.get(one.id)));
  return { ...judged, result: { ...judged.result, findings: kept } };
};

/** How its path was written is a fact of the answer, which is not read again. */
const withStatedPath = (found: Finding, path: string | undefined): Finding =>
  path === undefined ? found : { ...found, stated: { path, ...found.stated } };

/** A finding as its reviewer stated it, where it was stated. */
const statedFinding = (found: Finding): AnswerFinding => ({
  title: found.title,
  category: found.category,
  severity: found.severity,
  confidence: found.confidence,
  path: found.place.path,
  line: found.stated?.line ?? found.place.line,
  ...(found.place.endLine !== undefined && { endLine: found.place.endLine }),
  quote: found.quote,
  explanation: found.explanation,
  ...(found.suggestion !== undefined && { suggestion: found.suggestion }),
});
