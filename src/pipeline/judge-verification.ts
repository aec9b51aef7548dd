import type { Place } from '../domain/finding.ts';
import { taskId } from '../domain/ids.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import {
  verificationResult,
  type StoredVerification,
  type VerificationResult,
} from '../domain/verification.ts';
import type { RejectionCode } from '../domain/vocabulary.ts';
import { required } from '../std/assert.ts';
import { canonicalJson } from '../std/canonical-json.ts';
import { printable } from '../std/printable.ts';
import { prepareAnchorText } from './anchor.ts';
import type { JudgedTask } from './judge-answer.ts';
import { severityRank } from './severity-rank.ts';
import { firstIssue, openAnswer } from './open-answer.ts';

export type JudgedVerification =
  | Extract<JudgedTask, { kind: 'rejected' }>
  | {
      readonly kind: 'verified';
      readonly task: ReturnType<typeof taskId.parse>;
      readonly stored: StoredVerification;
      /** What was put right before the answer could be read, a sentence each. */
      readonly repairs: readonly string[];
    };

/**
 * Judges what came back for a packet of findings to verify: each task's result by itself, its evidence in
 * the frozen files. A verdict whose evidence is not there is no verdict.
 *
 * @param input.read a file of the frozen tree by its path in the inventory; undefined for any other path.
 */
export const judgeVerification = (input: {
  readonly bytes: Uint8Array;
  readonly brief: PacketBrief;
  readonly settled: ReadonlySet<string>;
  readonly read: (path: string) => string | undefined;
}): readonly JudgedVerification[] => {
  const { brief, settled } = input;
  const opened = openAnswer(input.bytes, brief.packet);
  if (opened.kind === 'refused') return [rejected(opened.code, opened.message)];
  if (opened.kind === 'audit-results') {
    return [rejected('wrong-shape', 'The answer is a list; findings are verified in an object.')];
  }
  const asked = new Set(brief.tasks.map(({ id }) => id));
  const stray: JudgedVerification[] = [];
  const said = new Map<string, unknown[]>();
  for (const [index, result] of opened.results.entries()) {
    const task = taskNamed(result);
    if (task === undefined || !asked.has(task)) {
      if (stray.length < STRAY_MAX) stray.push(strayResult(index, task));
      continue;
    }
    said.set(task, [...(said.get(task) ?? []), result]);
  }
  const verdicts = brief.tasks.flatMap(({ id, finding }): readonly JudgedVerification[] => {
    const [first, ...more] = said.get(id) ?? [];
    if (first === undefined) {
      return settled.has(id)
        ? []
        : [rejected('not-accounted-for', 'The answer says nothing about this task.', id)];
    }
    const text = canonicalJson(first);
    if (more.some((one) => canonicalJson(one) !== text)) {
      const message = 'The answer has several results for this task, and they differ.';
      return [rejected('conflicting-answer', message, id)];
    }
    const read = verificationResult.safeParse(first);
    return read.success
      ? [
          judgeVerdict(
            read.data,
            required(finding, 'V1: such a task names a finding'),
            input.read,
            opened.repairs,
          ),
        ]
      : [rejected('wrong-shape', firstIssue(read.error), id)];
  });
  return [...stray, ...verdicts];
};

/** Paths that the answer's evidence names: what has to be read before it is judged. */
export const evidencePaths = (bytes: Uint8Array, { packet }: PacketBrief): readonly string[] => {
  const opened = openAnswer(bytes, packet);
  if (opened.kind !== 'opened') return [];
  return opened.results.flatMap((result) => {
    const read = verificationResult.safeParse(result);
    return read.data?.evidence === undefined ? [] : [read.data.evidence.path];
  });
};

const STRAY_MAX = 100;

const taskNamed = (result: unknown): string | undefined => {
  const task = typeof result === 'object' && result !== null && 'task' in result && result.task;
  return typeof task === 'string' ? task : undefined;
};

const strayResult = (index: number, task: string | undefined): JudgedVerification =>
  task === undefined
    ? rejected('wrong-shape', `Result ${index + 1} names no task.`)
    : rejected(
        'unknown-task',
        `Result ${index + 1}: the packet has no task "${printable(task, 80)}".`,
      );

/** Judges one result: its severity, and its evidence in the files as they are. */
export const judgeVerdict = (
  result: VerificationResult,
  finding: NonNullable<PacketBrief['tasks'][number]['finding']>,
  read: (path: string) => string | undefined,
  repairs: readonly string[],
): JudgedVerification => {
  const { task, verdict, severity, reason } = result;
  if (severity !== undefined && severityRank(severity) <= severityRank(finding.severity)) {
    const message = `"${severity}" is not less than ${finding.severity}, which the finding has.`;
    return rejected('wrong-shape', message, task);
  }
  const shown = result.evidence && findEvidence(result.evidence, read);
  if (typeof shown === 'string') return rejected('evidence-not-found', shown, task);
  return {
    kind: 'verified',
    task: taskId.parse(task),
    repairs,
    stored: {
      verdict: 'judged',
      finding: finding.id,
      judgement: verdict,
      ...(severity !== undefined && { severity }),
      reason,
      ...(shown !== undefined && { evidence: shown }),
    },
  };
};

/** Where the evidence really stands; a sentence when it stands nowhere. */
const findEvidence = (
  { path, line, quote }: NonNullable<VerificationResult['evidence']>,
  read: (path: string) => string | undefined,
): { readonly place: Place; readonly quote: string } | string => {
  const text = read(path);
  if (text === undefined) return `"${printable(path, 200)}" is no file of the repository.`;
  const anchor = prepareAnchorText(text).find(quote, line);
  if (anchor === undefined) return `The quoted text is not in "${printable(path, 200)}".`;
  const { line: from, endLine } = anchor;
  return { place: { path, line: from, ...(endLine > from && { endLine }) }, quote };
};

const rejected = (
  code: RejectionCode,
  message: string,
  task?: string,
): Extract<JudgedTask, { kind: 'rejected' }> => ({
  kind: 'rejected',
  ...(task !== undefined && { task: taskId.parse(task) }),
  code,
  message,
});
