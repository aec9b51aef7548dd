import { digestOf, sha256Hex } from '../std/digest.ts';
import { required } from '../std/assert.ts';
import { ANSWER_VERSION } from '../domain/answer.ts';
import type { PlannedPacket, PlannedTask } from '../domain/events.ts';
import { packetId } from '../domain/ids.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import type { InventoryFile } from './inventory.ts';
import { buildPrompt } from './prompt.ts';

/** A packet before its prompt is kept as a blob. */
export type PacketDraft = Omit<PlannedPacket, 'prompt'> & { readonly promptText: string };

/** What one packet may come to: estimated input tokens, and tasks to be answered. */
export type PacketBudget = { readonly tokensMax: number; readonly tasksMax: number };

/** Tasks over the same files. They are never torn apart, so that no file is read for two packets. */
export type TaskGroup = { readonly tasks: readonly PlannedTask[]; readonly fileBytes: number };

/** A file of the inventory by its path; undefined when it has none. */
export type FileOf = (path: string) => InventoryFile | undefined;

/**
 * Joins neighbouring groups into packets, in the order in which they come, as long as the budget
 * holds. A group that is over it by itself is a packet by itself.
 */
export const packGroups = (
  groups: readonly TaskGroup[],
  budget: PacketBudget,
): readonly (readonly PlannedTask[])[] => {
  const packets: PlannedTask[][] = [];
  let tokens = 0;
  for (const group of groups) {
    const added = tokensOfBytes(group.fileBytes) + group.tasks.length * TASK_TOKENS;
    const open = packets.at(-1);
    if (
      open === undefined ||
      tokens + added > budget.tokensMax ||
      open.length + group.tasks.length > budget.tasksMax
    ) {
      packets.push([...group.tasks]);
      tokens = PROMPT_TOKENS + added;
    } else {
      open.push(...group.tasks);
      tokens += added;
    }
  }
  return packets;
};

/**
 * Makes a packet of tasks. Its id is a digest of the tasks and of the prompt, and the prompt tells
 * the id; so it is taken over the prompt with the id left blank.
 */
export const draftPacket = (tasks: readonly PlannedTask[], fileOf: FileOf): PacketDraft => {
  const linesOf = (path: string): number => fileOf(path)?.lines ?? 0;
  const ids = tasks.map((task) => task.id);
  const promptFor = buildPrompt(tasks, linesOf);
  const id = packetId.parse(`p-${digestOf([ids, sha256Hex(promptFor(''))]).slice(0, 16)}`);
  const promptText = promptFor(id);
  const paths = new Set(tasks.flatMap((task) => task.paths));
  let bytes = promptText.length;
  for (const path of paths) bytes += fileOf(path)?.size ?? 0;
  return { id, tasks: ids, tokens: tokensOfBytes(bytes), promptText };
};

/**
 * The packet for the tasks that an answer left open: with a prompt for these alone, in the place of
 * the packet that it replaces. Undefined when nothing or everything is open.
 */
export const draftRemainder = (
  packet: Pick<PlannedPacket, 'id' | 'tasks'>,
  open: readonly PlannedTask[],
  fileOf: FileOf,
): PacketDraft | undefined => {
  if (open.length === 0 || open.length === packet.tasks.length) return undefined;
  return { ...draftPacket(open, fileOf), replaces: packet.id };
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
  tasks: tasks.map(({ id, kind, lens, unit, paths }) => ({
    id,
    kind,
    lens,
    unit,
    files: paths.map((path) => {
      const file = required(fileOf(path), 'each path of a task is in the inventory');
      return { path, lines: file.lines, digest: file.digest ?? '' };
    }),
  })),
});

/** Bytes of source or prompt that make one token, measured over code and English. */
const BYTES_PER_TOKEN = 3.8;
export const tokensOfBytes = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/** About what the fixed part of a prompt and one task's lines in it come to. */
const PROMPT_TOKENS = 1500;
const TASK_TOKENS = 80;
