import type { PacketBrief } from '../domain/packet-brief.ts';
import { printable } from '../std/printable.ts';
import { isFields } from './audit-result-issue.ts';
import { repairResult } from './repair-result.ts';
import { stateResult } from './state-result.ts';
import {
  oneStatement,
  refusal,
  type PacketStatements,
  type PlacedStatement,
  type Refusal,
} from './task-statement.ts';

/**
 * Reads the results of an answer in our own form, task by task. Far more results than tasks are no
 * answer to the packet at all.
 *
 * @param given.at where the results stand in the answer.
 * @param given.isLeft whether a task is none of this packet's business: of a bare list, which may be
 *   about tasks of several packets.
 */
export const ownResults = (
  results: readonly unknown[],
  brief: PacketBrief,
  given: { readonly at: string; readonly isLeft: (task: string) => boolean },
): PacketStatements | Refusal => {
  const stray: Refusal[] = [];
  const own = new Map(brief.tasks.map((task) => [task.id, task]));
  const parts = new Map<string, PlacedStatement[]>(brief.tasks.map(({ id }) => [id, []]));
  let others = 0;
  for (const [index, raw] of results.entries()) {
    const repaired = repairResult(raw);
    const name = isFields(repaired.part) ? repaired.part['task'] : undefined;
    const task = typeof name === 'string' ? own.get(name) : undefined;
    if (task === undefined && typeof name === 'string' && given.isLeft(name)) {
      others += 1;
      continue;
    }
    if (index - others >= brief.tasks.length * 2 + STRAY_MAX) {
      const message = `It has ${results.length} results; the packet has ${brief.tasks.length} tasks.`;
      return refusal('wrong-shape', message);
    }
    if (task !== undefined) {
      const statement = stateResult(repaired, {
        paths: task.files.map(({ path }) => path),
        followUps: task.asksFollowUps === true,
      });
      parts.get(task.id)?.push({ at: `${given.at}[${index}]`, statement });
    } else if (typeof name === 'string') {
      const message = `Result ${index + 1}: the packet has no task "${printable(name, 80)}".`;
      stray.push(refusal('unknown-task', message));
    } else {
      stray.push(refusal('wrong-shape', `Result ${index + 1} names no task.`));
    }
  }
  const byTask = new Map<string, PlacedStatement>();
  for (const [task, said] of parts) {
    const statement = oneStatement(said);
    if (statement !== undefined) byTask.set(task, statement);
  }
  return { byTask, stray };
};

/** More results than this beside those that were asked for are no answer to the packet. */
const STRAY_MAX = 100;
