import { z } from 'zod';
import type { RefusedInput } from '../domain/events.ts';
import { printable } from '../std/printable.ts';
import { isFields, isText } from './audit-result-issue.ts';
import { ANSWERS } from './open-answer.ts';
import { recoverDocument } from './recover-document.ts';
import { taskNamedBy } from './results-for-packet.ts';

/** What is known of the plan: which packet a task is in, and whether a packet is planned. */
export type Planned = {
  readonly packetOf: (task: string) => string | undefined;
  readonly hasPacket: (packet: string) => boolean;
};

export type FoundAnswers = {
  /** Packets for which the bytes bring an answer, good or bad. */
  readonly packets: readonly string[];
  readonly refused: readonly RefusedInput[];
};

/**
 * Looks into bytes that somebody handed in: for which packets do they bring an answer? Whether it is
 * a good one is for the judgement to say. They may be an answer in our own form, or a list of results
 * (ours, or the predecessor's `AuditResult`), which may be about tasks of many packets.
 *
 * @param assigned the packet in whose assigned place the file lay: it is about that one or none.
 */
export const findAnswers = (
  bytes: Uint8Array,
  planned: Planned,
  assigned?: string,
): FoundAnswers => {
  const read = recoverDocument(bytes, ANSWERS);
  const named = read.kind === 'read' ? namesPacket.safeParse(read.value).data?.packet : undefined;
  if (assigned !== undefined && planned.hasPacket(assigned)) {
    if (named === undefined || named === assigned) return { packets: [assigned], refused: [] };
    const message = `It lies in the place of ${assigned} and is for packet "${printable(named, 80)}".`;
    return refuse('wrong-packet', message, assigned);
  }
  if (read.kind === 'unreadable') return refuse('unreadable-answer', `It is ${read.why}.`);
  if (Array.isArray(read.value)) return findInArray(read.value, planned);
  const results = isFields(read.value) ? read.value['results'] : undefined;
  if (named === undefined && Array.isArray(results) && results.length > 0) {
    return findInArray(results, planned);
  }
  if (named === undefined) {
    return refuse(
      'wrong-shape',
      'It is neither an answer that names its packet nor an array of results.',
    );
  }
  if (planned.hasPacket(named)) return { packets: [named], refused: [] };
  return refuse('unknown-packet', `No packet "${printable(named, 80)}" was planned.`, named);
};

const namesPacket = z.looseObject({ packet: z.string() });

const findInArray = (entries: readonly unknown[], planned: Planned): FoundAnswers => {
  if (entries.length === 0) return refuse('no-verdict', 'It holds no result.');
  const packets = new Set<string>();
  const refused: RefusedInput[] = [];
  for (const [index, entry] of entries.entries()) {
    const task = taskNamedBy(entry) ?? ownTaskOf(entry);
    const packet = task === undefined ? undefined : planned.packetOf(task);
    if (packet !== undefined) packets.add(packet);
    else if (refused.length < REFUSED_MAX) refused.push(strayResult(index, task));
  }
  return { packets: [...packets], refused };
};

/** A file of another audit has thousands that are not ours; the first say enough. */
const REFUSED_MAX = 100;

const ownTaskOf = (entry: unknown): string | undefined =>
  isFields(entry) && isText(entry['task']) ? entry['task'] : undefined;

const strayResult = (index: number, task: string | undefined): RefusedInput =>
  task === undefined
    ? {
        code: 'wrong-shape',
        message: `Result ${index + 1} names no task ("task", or "task_id" in the form of AuditResult).`,
      }
    : {
        code: 'unknown-task',
        message: `Result ${index + 1}: no task "${printable(task, 80)}" was planned.`,
      };

const refuse = (code: RefusedInput['code'], message: string, packet?: string): FoundAnswers => ({
  packets: [],
  refused: [{ code, message, ...(packet !== undefined && { packet: printable(packet, 80) }) }],
});
