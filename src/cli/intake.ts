import type { AnalyzerSummary } from '../domain/analyzer-summary.ts';
import type { Commit } from '../domain/commit.ts';
import type { IngestOutput } from '../domain/ingest-output.ts';
import { knownInput } from '../decider/held-inputs.ts';
import { whyCompleteRefuses } from '../decider/decide-input.ts';
import type { AuditState } from '../decider/state.ts';
import type { Reply } from '../engine/engine.ts';
import type { Refusal } from '../engine/session.ts';
import {
  createInputsView,
  foldInputs,
  type ImportedAnswer,
  type InputEntry,
  type InputsView,
} from '../projections/inputs.ts';
import { analyzerWords } from '../reporters/analyzer-words.ts';
import { counted } from '../std/counted.ts';
import { printable } from '../std/printable.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import type { Progress } from './progress.ts';
import { inputName, type InputFile, type LeftFile, type ReadInputs } from './read-inputs.ts';
import type { Visit } from './work.ts';

export type FileOutcome = IngestOutput['files'][number];

/** What is handed in with a call, and what becomes of it: it watches the log while the call works. */
export type Intake = {
  readonly visit: Pick<Visit, 'inputs' | 'onReceived' | 'ask'>;
  readonly watch: (progress: Progress) => Progress;
  /**
   * File by file, once the audit rests.
   *
   * @param known.past what the log held before the call, to tell what came of files that are known.
   * @param known.analyzers what each analyzer did, to tell what came of their reports.
   */
  readonly outcomes: (
    state: AuditState,
    known?: {
      readonly past?: readonly Commit[] | undefined;
      readonly analyzers?: readonly AnalyzerSummary[] | undefined;
    },
  ) => readonly FileOutcome[];
};

export const createIntake = ({ files, left }: ReadInputs): Intake => {
  const view = createInputsView();
  const seen: Commit[] = [];
  const replies = new Map<InputFile, Reply>();
  const late = new Map<ImportedAnswer, readonly Refusal[]>();
  return {
    visit: {
      inputs: files,
      onReceived: (input, reply) => replies.set(input, reply),
      ask: async ({ engine, judgeLate }) => {
        if (engine.published().completed === undefined) return;
        for (const { content, answers } of view.inputs.values()) {
          for (const answer of answers.filter(isUnjudged)) {
            late.set(answer, await judgeLate(answer.packet, content));
          }
        }
      },
    },
    watch: (progress) => ({
      ...progress,
      onCommit: (commit, state) => {
        foldInputs(view, commit);
        seen.push(commit);
        progress.onCommit(commit, state);
      },
    }),
    outcomes: (state, { past = [], analyzers = [] } = {}) => {
      const known = createInputsView();
      for (const commit of [...past, ...seen]) foldInputs(known, commit);
      return [
        ...files.map((file) => {
          const reply = replies.get(file);
          if (reply?.kind === 'done') {
            // What follows by itself stands in the same commit, behind the input.
            const entry = view.inputs.get(reply.seq) ?? entryOf(file, view);
            const outcome = takenOutcome(file, entry, late);
            return file.kind === 'analyzer-results' ? withLeads(outcome, analyzers) : outcome;
          }
          if (isKnown(state, file)) return repeatOutcome(file, known, late);
          const why = reply?.rejection.message ?? refusalOf(state, file);
          return { ...blank(file), outcome: 'refused' as const, message: why };
        }),
        ...left.map(leftOutcome),
      ];
    },
  };
};

/** What the audit itself would say, where it was not asked since it is finished. */
const refusalOf = (state: AuditState, { kind }: InputFile): string =>
  kind === 'answers' ? 'The audit is complete.' : whyCompleteRefuses(state, kind);

/** A finished audit judges nothing any more; whoever handed it in is told all the same. */
const isUnjudged = ({ accepted, refused }: ImportedAnswer): boolean =>
  accepted.length === 0 && refused.length === 0;

type Late = ReadonlyMap<ImportedAnswer, readonly Refusal[]>;

const blank = ({ path, kind }: InputFile) => ({
  file: path,
  kind,
  packets: [],
  accepted: [],
  refused: [],
});

/** What came of it the first time; nothing changes. */
const repeatOutcome = (file: InputFile, known: InputsView, late: Late): FileOutcome => ({
  ...takenOutcome(file, entryOf(file, known), late),
  outcome: 'repeat',
});

/** The newest input of these very bytes. */
const entryOf = (file: InputFile, { inputs }: InputsView): InputEntry | undefined => {
  const digest = digestOfBytes(file.bytes);
  return [...inputs.values()].findLast(
    ({ kind, content }) => kind === file.kind && content.digest === digest,
  );
};

const takenOutcome = (input: InputFile, entry: InputEntry | undefined, late: Late): FileOutcome => {
  const file = blank(input);
  if (entry === undefined || !entry.isOpened) return { ...file, outcome: 'held' };
  if (entry.kind === 'analyzer-results') return { ...file, outcome: 'taken' };
  const accepted = entry.answers.flatMap((answer) => answer.accepted);
  const refused = [
    ...entry.refused,
    ...entry.answers.flatMap((answer) =>
      [...answer.refused, ...(late.get(answer) ?? [])].map((one) => ({
        ...one,
        packet: answer.packet,
      })),
    ),
  ];
  const repaired = entry.answers.flatMap((answer) => answer.repaired);
  const isLate = entry.answers.some((answer) => late.has(answer));
  const isRepeat = refused.length > 0 && refused.every(({ code }) => code === 'repeat');
  return {
    ...file,
    outcome: accepted.length > 0 ? 'taken' : isRepeat ? 'repeat' : isLate ? 'late' : 'refused',
    packets: entry.answers.map(({ packet }) => packet),
    accepted,
    ...(repaired.length > 0 && { repaired }),
    refused,
  };
};

/** What a report brought, tool by tool. */
const withLeads = (outcome: FileOutcome, analyzers: readonly AnalyzerSummary[]): FileOutcome => {
  const name = inputName(outcome.file);
  const said = analyzers
    .filter(({ importedFrom }) => importedFrom === name)
    .map((one) => `${one.name} ${analyzerWords(one)}`);
  return said.length === 0 ? outcome : { ...outcome, message: printable(said.join(' | ')) };
};

const leftOutcome = ({ path, why, message }: LeftFile): FileOutcome => ({
  file: path,
  outcome: why,
  message,
  packets: [],
  accepted: [],
  refused: [],
});

/** Whether nothing was refused or left. */
export const isTakenWhole = (outcomes: readonly FileOutcome[]): boolean =>
  outcomes.every(
    ({ outcome, refused }) =>
      TAKEN.has(outcome) && refused.every(({ code }) => SAID_BEFORE.has(code)),
  );

const TAKEN: ReadonlySet<FileOutcome['outcome']> = new Set(['taken', 'repeat', 'held', 'late']);

/** No trouble: another answer has said it already. */
const SAID_BEFORE: ReadonlySet<string> = new Set(['already-settled', 'repeat']);

/** What the audit has seen already, to the byte: handing that in again changes nothing. */
const isKnown = (state: AuditState, { kind, bytes, packet }: InputFile): boolean =>
  knownInput(state, {
    kind,
    digest: digestOfBytes(bytes),
    ...(packet !== undefined && { packet }),
  }) !== undefined;

/** Whether telling the audit of it can change anything. */
export const isNews = (state: AuditState, file: InputFile): boolean =>
  !isKnown(state, file) && (state.completed === undefined || file.kind === 'answers');

/** A line for a file and one for each part of it that was refused. */
export const outcomeLines = (outcomes: readonly FileOutcome[]): readonly string[] =>
  outcomes.flatMap(({ file, outcome, accepted, message, repaired = [], refused }) => [
    `  ${file}: ${OUTCOMES[outcome]}${accepted.length === 0 ? '' : ` (${counted(accepted.length, 'task')})`}${message === undefined ? '' : ` — ${message}`}`,
    ...repaired.map((one) => `    put right: ${one}`),
    ...refused.map(
      ({ task, packet, code, message: why }) => `    ${task ?? packet ?? 'it'}: ${code} — ${why}`,
    ),
  ]);

const OUTCOMES = {
  taken: 'taken',
  refused: 'refused',
  repeat: 'known already, nothing changed',
  held: 'kept until it can be used',
  late: 'recorded as late; the audit was complete, and its report stays as it is',
  unexpected: 'left alone',
  unreadable: 'left alone, it cannot be read',
} as const;
