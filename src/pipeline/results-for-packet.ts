import { answerFinding, type AnswerFinding } from '../domain/answer.ts';
import type { Quarantined } from '../domain/finding.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import { compareText } from '../std/canonical-json.ts';
import { counted } from '../std/counted.ts';
import { clip } from '../std/printable.ts';
import { shown } from '../std/shown.ts';
import { isFields, isText } from './audit-result-issue.ts';
import { createEntryCheck, type AssignedTask } from './audit-results.ts';
import { normalizeCoveragePath } from './coverage-path.ts';
import { firstIssue } from './open-answer.ts';
import { quarantine } from './state-result.ts';
import {
  oneStatement,
  refusal,
  refusalOf,
  type PacketStatements,
  type PlacedStatement,
  type Refusal,
  type StatedFinding,
  type TaskStatement,
  type Trouble,
} from './task-statement.ts';

/**
 * Reads an `AuditResult[]` array of the predecessor as an answer to one packet. Its entries are judged
 * one by one, so that a broken one spoils no other, and their order means nothing. An entry is about
 * the packet's task that its `task_id` names; entries about tasks of other packets are left to these.
 *
 * An entry without findings whose coverage declares every file of the task is a positive clean verdict.
 */
export const resultsForPacket = (
  entries: readonly unknown[],
  brief: PacketBrief,
  isPlannedElsewhere: (task: string) => boolean,
): PacketStatements => {
  const own = new Map<string, { entry: unknown; at: string }[]>(
    brief.tasks.map(({ id }) => [id, []]),
  );
  const unknown = new Set<string>();
  let nameless = 0;
  for (const [index, entry] of entries.entries()) {
    const id = taskNamedBy(entry);
    if (id === undefined) nameless += 1;
    else if (own.has(id)) own.get(id)?.push({ entry, at: `[${index}]` });
    else if (!isPlannedElsewhere(id)) unknown.add(id);
  }
  const check = createEntryCheck(brief.tasks.map(assignedTask), linesOf(brief));
  const byTask = new Map<string, PlacedStatement>();
  for (const task of brief.tasks) {
    const said = own.get(task.id) ?? [];
    const statement = oneStatement(
      said.map(({ entry, at }) => ({ at, statement: statementOf(entry, task, check) })),
    );
    if (statement !== undefined) byTask.set(task.id, statement);
  }
  return { byTask, stray: strayRefusals(nameless, unknown) };
};

/** The task that an entry of an `AuditResult[]` array is about; undefined when it names none. */
export const taskNamedBy = (entry: unknown): string | undefined =>
  isFields(entry) && isText(entry['task_id']) ? entry['task_id'] : undefined;

type BriefTask = PacketBrief['tasks'][number];

const assignedTask = ({ id, unit, lens, files }: BriefTask): AssignedTask => ({
  id,
  unit,
  pass: `pass:${lens}`,
  lens,
  paths: files.map(({ path }) => path),
});

const linesOf = (brief: PacketBrief): ReadonlyMap<string, number> =>
  new Map(brief.tasks.flatMap(({ files }) => files.map(({ path, lines }) => [path, lines])));

const strayRefusals = (nameless: number, unknown: ReadonlySet<string>): readonly Refusal[] => {
  const stray: Refusal[] = [];
  if (nameless > 0) {
    const names = nameless === 1 ? 'names' : 'name';
    const message = `${counted(nameless, 'result')} of the array ${names} no task.`;
    stray.push(refusal('wrong-shape', message));
  }
  if (unknown.size > 0) {
    const names = [...unknown].toSorted(compareText).map((name) => shown(name));
    const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '';
    const message = `No task of this name was planned: ${names.slice(0, NAMES_MAX).join(', ')}${more}.`;
    stray.push(refusal('unknown-task', message));
  }
  return stray;
};

const NAMES_MAX = 3;

/** Rules that only one finding breaks set that finding aside; any other refuses the entry. */
const statementOf = (
  entry: unknown,
  task: BriefTask,
  check: ReturnType<typeof createEntryCheck>,
): TaskStatement => {
  const errors = check(entry, 0).filter(({ severity }) => severity === 'error');
  const troubles = errors.map(({ path, code, message }): Trouble => ({ at: path, code, message }));
  const byFinding = new Map<number, Trouble[]>();
  for (const trouble of troubles) {
    const index = Number(OF_FINDING.exec(trouble.at)?.[1] ?? -1);
    byFinding.set(index, [...(byFinding.get(index) ?? []), trouble]);
  }
  const list = isFields(entry) ? entry['findings'] : undefined;
  const findings: readonly unknown[] = Array.isArray(list) ? list : [];
  const broken = byFinding.size - (byFinding.has(-1) ? 1 : 0);
  const [wrong, ...more] = troubles;
  if (wrong !== undefined && (byFinding.has(-1) || broken === findings.length)) {
    return refusalOf([wrong, ...more]);
  }
  const paths = new Map(task.files.map(({ path }) => [normalizeCoveragePath(path), path]));
  const firstLines = new Map(task.files.map(({ path, range }) => [path, range?.line ?? 1]));
  const stated: StatedFinding[] = [];
  const quarantined: Quarantined[] = [];
  for (const [index, raw] of findings.entries()) {
    const at = `findings[${index}]`;
    const [first, ...others] = byFinding.get(index) ?? [];
    if (first !== undefined) {
      quarantined.push(quarantine(at, raw, [first, ...others]));
      continue;
    }
    // A finding without errors has all fields that are looked at.
    const read = answerFinding.safeParse(statedFinding(raw as CheckedFinding, paths, firstLines));
    if (read.success) stated.push({ at, finding: read.data, raw });
    else {
      const trouble = { at, code: 'wrong-shape', message: firstIssue(read.error) } as const;
      quarantined.push(quarantine(at, raw, [trouble]));
    }
  }
  const [aside] = quarantined;
  if (stated.length === 0 && aside !== undefined) return refusal(aside.code, aside.message);
  const verdict = findings.length === 0 ? 'clean' : 'findings';
  return {
    kind: 'stated',
    verdict,
    findings: stated,
    quarantined,
    troubles,
    followUps: [],
    repairs: [],
  };
};

const OF_FINDING = /^findings\[(\d+)\]/;

/** What the rules have made sure of. */
type CheckedFinding = Pick<AnswerFinding, 'title' | 'category' | 'severity' | 'confidence'> & {
  readonly summary: string;
  readonly affected_files: readonly AffectedFile[];
  readonly evidence: readonly string[];
  /** Optional fields that the rules do not look at. */
  readonly impact?: unknown;
  readonly likelihood?: unknown;
  readonly reproduction?: unknown;
};
type AffectedFile = {
  readonly path: string;
  readonly line_start?: number;
  readonly line_end?: number;
};

/**
 * A finding in our form. It has one place, the first; the others are told in its explanation. Without
 * a first line a last one means nothing.
 */
const statedFinding = (
  finding: CheckedFinding,
  paths: ReadonlyMap<string, string>,
  firstLines: ReadonlyMap<string, number>,
): AnswerFinding => {
  const [first, ...others] = finding.affected_files;
  const { path = '', line_start: line, line_end: endLine } = first ?? {};
  const own = paths.get(path) ?? path;
  return {
    title: cut(finding.title, 300),
    category: cut(finding.category, 100),
    severity: finding.severity,
    confidence: finding.confidence,
    path: own,
    line: line ?? firstLines.get(own) ?? 1,
    ...(line !== undefined && endLine !== undefined && { endLine }),
    quote: quoteOf(finding.evidence, path),
    explanation: cut(explanationOf(finding, others), 8000),
  };
};

const cut = (text: string, lengthMax: number): string => clip(text.trim(), lengthMax);

const explanationOf = (finding: CheckedFinding, others: readonly AffectedFile[]): string => {
  const also = others.map(({ path, line_start: line }) =>
    line === undefined ? path : `${path}:${line}`,
  );
  const { impact, likelihood, reproduction } = finding;
  const steps = Array.isArray(reproduction) ? reproduction.filter(isText) : [];
  return [
    finding.summary.trim(),
    ...(isText(impact) ? [`Impact: ${impact.trim()}`] : []),
    ...(isText(likelihood) ? [`Likelihood: ${likelihood.trim()}`] : []),
    ...(steps.length > 0 ? [`Reproduction:\n${steps.join('\n')}`] : []),
    ...(also.length > 0 ? [`Also affected: ${also.join(', ')}`] : []),
  ].join('\n\n');
};

/** `src/pay.ts:12 - const total = …` or `src/pay.ts:12-14: …`: a place, and source text from there. */
const LOCATED = /^\s*(?<path>\S.*?):\d+(?:\s*-\s*\d+)?(?:\s+[-–—]+\s+|:\s+)(?<text>\S.*)$/s;

/**
 * Source text that shows the defect: of the evidence that stands at a place, the first in the
 * finding's own file, else the first. Without any it is the first text: then nothing anchors.
 */
const quoteOf = (evidence: readonly string[], path: string): string => {
  const located = evidence.flatMap((one) => {
    const { path: of = '', text = '' } = LOCATED.exec(one)?.groups ?? {};
    return text === '' ? [] : [{ isOwn: normalizeCoveragePath(of) === path, text }];
  });
  const quoted = located.find(({ isOwn }) => isOwn) ?? located[0];
  const text = quoted?.text ?? evidence.find(isText) ?? '';
  // Without an ellipsis: the beginning of a long quote can still be found in the file.
  return wholeCharacters(text.trim().slice(0, 2000)).trim();
};

const wholeCharacters = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, '');
