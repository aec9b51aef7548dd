import { required } from '../std/assert.ts';
import { ANSWER_VERSION } from '../domain/answer.ts';
import type { PlannedPacket, PlannedTask } from '../domain/events.ts';
import { packetId } from '../domain/ids.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import { asksFollowUps, buildPrompt, type ContextBudget } from './prompt.ts';
import { promptItems, taskFiles } from './prompt-items.ts';
import type { FileOf, ReviewFacts } from './review-facts.ts';
import { digestOfText, digestOfValue } from './text-digest.ts';
import { fileTokens, promptTokens, utf8Length } from './token-model.ts';

/** A packet before its prompt is kept as a blob. */
export type PacketDraft = Omit<PlannedPacket, 'prompt'> & { readonly promptText: string };

/**
 * Makes a packet of tasks. Its id is a digest of the tasks and of the prompt, and the prompt tells
 * the id; so it is taken over the prompt with the id left blank.
 */
export const draftPacket = (
  tasks: readonly PlannedTask[],
  facts: ReviewFacts,
  context: ContextBudget,
): PacketDraft => {
  const ids = tasks.map((task) => task.id);
  const promptFor = buildPrompt(tasks, facts, context);
  const id = packetId.parse(`p-${digestOfValue([ids, digestOfText(promptFor(''))]).slice(0, 16)}`);
  const promptText = promptFor(id);
  let tokens = promptTokens(utf8Length(promptText));
  for (const { tokens: more } of packetFiles(tasks, facts)) tokens += more;
  return { id, tasks: ids, tokens, promptText };
};

/** What a packet gives to read: files and parts, each once, with their estimated tokens. */
export const packetFiles = (
  tasks: readonly PlannedTask[],
  facts: Pick<ReviewFacts, 'fileOf' | 'partOf'>,
) =>
  promptItems(tasks, facts).map(({ path, lines, part }) => {
    const file = facts.fileOf(path);
    return {
      path,
      lines,
      part,
      tokens: part?.tokens ?? (file === undefined ? 0 : fileTokens(file)),
    };
  });

/**
 * The packet for the tasks that an answer left open: with a prompt for these alone, in the place of
 * the packet that it replaces. Undefined when nothing or everything is open.
 */
export const draftRemainder = (
  packet: Pick<PlannedPacket, 'id' | 'tasks'>,
  open: readonly PlannedTask[],
  facts: ReviewFacts,
  context: ContextBudget,
): PacketDraft | undefined => {
  if (open.length === 0 || open.length === packet.tasks.length) return undefined;
  return { ...draftPacket(open, facts, context), replaces: packet.id };
};

/** What a worker and the judgement are told about a packet. */
export const briefOf = (
  packet: Pick<PlannedPacket, 'id'>,
  promptDigest: string,
  tasks: readonly PlannedTask[],
  fileOf: FileOf,
): PacketBrief => ({
  contract: 'casefile/packet/v1',
  answerVersion: ANSWER_VERSION,
  packet: packet.id,
  promptDigest,
  tasks: tasks.map((task) => taskBriefOf(task, fileOf)),
});

/** What the judgement is told about one task. */
export const taskBriefOf = (task: PlannedTask, fileOf: FileOf): PacketBrief['tasks'][number] => ({
  id: task.id,
  kind: task.kind,
  lens: task.lens,
  unit: task.unit,
  ...(asksFollowUps(task) && { asksFollowUps: true as const }),
  ...(task.about?.finding !== undefined && { finding: task.about.finding }),
  files: taskFiles(task).map(({ path, range }) => {
    const file = required(fileOf(path), 'each path of a task is in the inventory');
    const { line, endLine, bytes } = range ?? {};
    return {
      path,
      lines: file.lines,
      digest: file.digest ?? '',
      ...(line !== undefined &&
        endLine !== undefined && { range: { line, endLine, ...(bytes && { bytes }) } }),
    };
  }),
});
