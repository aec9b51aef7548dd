import type { EventNumber, Instant } from '../domain/ids.ts';
import type { ReportedFinding } from '../domain/synthesis.ts';
import type { Subject } from '../domain/subject.ts';
import type { HistoryEntry, NamedBlob } from '../projections/history.ts';
import { printable } from '../std/printable.ts';
import { isoTime } from '../std/instant-text.ts';

/** What happened to one thing and why it is where it is: what `explain --json` prints. */
export type Explanation = {
  readonly audit: string;
  readonly subject: { readonly kind: Subject['kind']; readonly id: string };
  /** What it is, a sentence each. */
  readonly what: readonly string[];
  readonly history: readonly ExplainedEvent[];
  /** Why it is where it is, a sentence each. */
  readonly now: readonly string[];
  /** The last event that was folded. */
  readonly asOf: { readonly seq: EventNumber; readonly at: string };
};

type ExplainedEvent = {
  readonly seq: EventNumber;
  readonly at: string;
  readonly type: string;
  readonly text: string;
  /** Why a part of an answer, or all of it, was not taken. */
  readonly refused?: { readonly code: string; readonly message: string };
  readonly blobs: readonly {
    readonly role: NamedBlob['role'];
    /** Relative to the audited root, where the blob lies in it. */
    readonly path: string;
    readonly bytes: number;
  }[];
};

/** Puts an explanation together. Free text of others is not yet made printable. */
export const explanationOf = (given: {
  readonly audit: string;
  readonly subject: Subject;
  readonly standing: { readonly what: readonly string[]; readonly now: readonly string[] };
  readonly history: readonly HistoryEntry[];
  readonly asOf: { readonly seq: EventNumber; readonly at: Instant };
  readonly blobPath: (digest: string) => string;
}): Explanation => {
  const { audit, subject, standing, history, asOf, blobPath } = given;
  return {
    audit,
    subject: { kind: subject.kind, id: 'id' in subject ? String(subject.id) : audit },
    what: standing.what,
    history: history.map(({ seq, at, event, text, blobs }) => ({
      seq,
      at: isoTime(at),
      type: event.type,
      text: wordsOf(event, subject) ?? text,
      ...(event.type === 'ResultRejected' && {
        refused: { code: event.code, message: event.message },
      }),
      blobs: blobs.map(({ role, blob }) => ({
        role,
        path: blobPath(blob.digest),
        bytes: blob.bytes,
      })),
    })),
    now: standing.now,
    asOf: { seq: asOf.seq, at: isoTime(asOf.at) },
  };
};

/** Where the log's own line speaks of hundreds, and only one of them is meant. */
const wordsOf = (event: HistoryEntry['event'], subject: Subject): string | undefined => {
  if (event.type === 'TasksPlanned' && subject.kind === 'task') return 'it was planned';
  if (event.type === 'TasksPlanned' && subject.kind === 'finding') {
    return 'the tasks that state it were planned';
  }
  if (event.type !== 'PacketsPlanned') return undefined;
  const { packets } = event;
  if (subject.kind === 'task') {
    const own = packets.filter(({ tasks }) => tasks.includes(subject.id));
    return own.map(({ id }) => `it was put into packet ${id}`).join('; ');
  }
  if (subject.kind === 'finding') {
    const own = packets.filter(({ tasks }) => subject.tasks.some((task) => tasks.includes(task)));
    return `they were put into ${own.map(({ id }) => `packet ${id}`).join(', ')}`;
  }
  if (subject.kind !== 'packet') return undefined;
  const next = packets.find(({ replaces }) => replaces === subject.id);
  return next === undefined
    ? 'it was planned'
    : `what was left open of it went on as packet ${next.id}`;
};

/** What a finding is, who says so, and how it stands. */
export const findingStanding = (
  finding: ReportedFinding,
): { readonly what: readonly string[]; readonly now: readonly string[] } => {
  const { place, sources, aliases = [], analyzers = [], verifications = [] } = finding;
  const said = sources.map((source) => {
    const rule = source.rule === undefined ? '' : `, ${source.analyzer ?? ''} rule ${source.rule}`;
    const other = source.category === undefined ? '' : `, as ${source.category}`;
    return `task ${source.task} (${source.provider}${rule}, lens ${source.lens}) says ${source.severity}, confidence ${source.confidence}${other}`;
  });
  const pointing = analyzers.map(({ analyzer, rule }) => `${analyzer} (${rule})`);
  const judged = verifications.map(({ of, verdict, severity, by, reason, evidence, event }) =>
    [
      `${of} was ${verdict}`,
      severity === undefined ? '' : ` (${severity})`,
      by === undefined ? '' : ` by ${by}`,
      event === undefined ? '' : ` (event ${event})`,
      reason === undefined ? '' : `: ${reason}`,
      evidence === undefined ? '' : ` (${evidence.place.path}, line ${evidence.place.line})`,
    ].join(''),
  );
  return {
    what: [
      `Finding ${finding.id}: ${finding.title} (${finding.category}).`,
      `It is in ${place.path}, line ${place.line}.`,
      `Stated by: ${said.join('; ')}.`,
      ...(aliases.length === 0
        ? []
        : [
            `It is one defect that was told in several ways, and goes by ${aliases.join(', ')} too.`,
          ]),
      ...(pointing.length === 0 ? [] : [`Analyzers that point to it: ${pointing.join(', ')}.`]),
    ],
    now: [
      `Its severity is ${finding.severity}${finding.statedSeverity === undefined ? '' : `, lowered from ${finding.statedSeverity} by a second pass`}; the verdict of a second pass: ${finding.verdict}.`,
      ...(judged.length === 0 ? [] : [`In particular: ${judged.join('; ')}.`]),
      finding.anchored
        ? 'It is anchored: its quote was found in the frozen file.'
        : 'It is not anchored: its quote was not found in the frozen file, so it is shown apart and passes no gate.',
    ],
  };
};

/** An explanation as a person reads it. */
export const explanationText = (explanation: Explanation): string => {
  const { what, history, now, asOf } = explanation;
  return [
    ...what.map(line),
    ...(history.length === 0 ? [] : ['', 'What happened:']),
    ...history.flatMap(({ seq, at, text, blobs }) => [
      `${String(seq).padStart(6)}  ${at}  ${line(text)}`,
      ...blobs.map(
        ({ role, path, bytes }) =>
          `${' '.repeat(BLOB_INDENT)}${role.padEnd(8)} ${path} (${bytes} bytes)`,
      ),
    ]),
    '',
    `Where it stands, as of event ${asOf.seq} (${asOf.at}):`,
    ...now.map((sentence) => `  ${line(sentence)}`),
  ].join('\n');
};

const BLOB_INDENT = 34;

const line = (text: string): string => printable(text);
