import type { Commit } from '../domain/commit.ts';
import type { AuditEvent, InputKind, RefusedInput } from '../domain/events.ts';
import type { BlobRef, EventNumber, PacketId, TaskId } from '../domain/ids.ts';
import type { RejectionCode } from '../domain/vocabulary.ts';
import { counted } from '../std/counted.ts';

/** What became of everything that was handed in, by folding the log. Updated in place. */
export type InputsView = {
  readonly inputs: Map<EventNumber, InputEntry>;
  /** Which input brought an answer, by the number of its `AnswersImported`. */
  readonly answers: Map<EventNumber, ImportedAnswer>;
};

export type InputEntry = {
  readonly kind: InputKind;
  readonly name: string;
  readonly content: BlobRef;
  /** Held until it can be used. */
  isOpened: boolean;
  /** What could not be taken before it came to a judgement. */
  refused: readonly RefusedInput[];
  readonly answers: ImportedAnswer[];
};

export type ImportedAnswer = {
  readonly packet: PacketId;
  readonly accepted: TaskId[];
  /** What was put right before it could be taken. */
  readonly repaired: string[];
  readonly refused: {
    readonly task?: TaskId;
    readonly code: RejectionCode;
    readonly message: string;
  }[];
};

export const createInputsView = (): InputsView => ({ inputs: new Map(), answers: new Map() });

/** Adds a commit. An input's answers stand before its `ExternalInputConsumed` in one commit. */
export const foldInputs = (view: InputsView, commit: Pick<Commit, 'seq' | 'events'>): void => {
  const imported: ImportedAnswer[] = [];
  for (const [index, event] of commit.events.entries()) {
    foldEvent(view, event, commit.seq + index, imported);
  }
};

const foldEvent = (
  view: InputsView,
  event: AuditEvent,
  number: EventNumber,
  imported: ImportedAnswer[],
): void => {
  if (event.type === 'ExternalInputReceived') {
    const { kind, name, content } = event;
    const entry = { kind, name, content, isOpened: false, refused: [], answers: [] };
    view.inputs.set(number, entry);
  } else if (event.type === 'AnswersImported' && event.source === 'file') {
    const answer: ImportedAnswer = {
      packet: event.packet,
      accepted: [],
      repaired: [],
      refused: [],
    };
    view.answers.set(number, answer);
    imported.push(answer);
  } else if (event.type === 'ExternalInputConsumed') {
    const entry = view.inputs.get(event.of);
    if (entry === undefined) return;
    entry.isOpened = true;
    entry.refused = event.refused;
    entry.answers.push(...imported);
  } else if (event.type === 'ResultAccepted') {
    const answer = view.answers.get(event.of);
    answer?.accepted.push(event.task);
    for (const repair of event.repaired ?? []) {
      if (!answer?.repaired.includes(repair)) answer?.repaired.push(repair);
    }
    for (const [code, count = 0] of Object.entries(event.quarantined ?? {})) {
      const message = `${counted(count, 'finding')} of the result could not be taken and ${count === 1 ? 'was' : 'were'} set aside; the report has ${count === 1 ? 'it' : 'them'}.`;
      answer?.refused.push({ task: event.task, code: code as RejectionCode, message });
    }
  } else if (event.type === 'ResultRejected') {
    const { task, code, message } = event;
    view.answers.get(event.of)?.refused.push({ ...(task && { task }), code, message });
  }
};
