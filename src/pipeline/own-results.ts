import { z } from 'zod';
import { answerResult } from '../domain/answer.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import { printable } from '../std/printable.ts';
import { firstIssue } from './open-answer.ts';
import {
  oneStatement,
  refusal,
  type PacketStatements,
  type Refusal,
  type TaskStatement,
} from './task-statement.ts';

/**
 * Reads the results of an answer in our own form, task by task. Far more results than tasks are no
 * answer to the packet at all.
 */
export const ownResults = (
  results: readonly unknown[],
  brief: PacketBrief,
): PacketStatements | Refusal => {
  if (results.length > brief.tasks.length * 2 + STRAY_MAX) {
    const message = `It has ${results.length} results; the packet has ${brief.tasks.length} tasks.`;
    return refusal('wrong-shape', message);
  }
  const stray: Refusal[] = [];
  const parts = new Map<string, TaskStatement[]>(brief.tasks.map(({ id }) => [id, []]));
  for (const [index, part] of results.entries()) {
    const named = partTask.safeParse(part);
    if (!named.success) {
      stray.push(refusal('wrong-shape', `Result ${index + 1} names no task.`));
      continue;
    }
    const { task } = named.data;
    const message = `Result ${index + 1}: the packet has no task "${printable(task, 80)}".`;
    const said = parts.get(task);
    if (said === undefined) stray.push(refusal('unknown-task', message));
    else said.push(statementOf(part));
  }
  const byTask = new Map<string, TaskStatement>();
  for (const [task, said] of parts) {
    const statement = oneStatement(said);
    if (statement !== undefined) byTask.set(task, statement);
  }
  return { byTask, stray };
};

/** More results than this beside those that were asked for are no answer to the packet. */
const STRAY_MAX = 100;

const partTask = z.looseObject({ task: z.string() });
const partVerdict = z.looseObject({ verdict: z.enum(['clean', 'findings']) });

const statementOf = (part: unknown): TaskStatement => {
  if (!partVerdict.safeParse(part).success) {
    return refusal('no-verdict', 'The result has no verdict "clean" or "findings".');
  }
  const result = answerResult.safeParse(part);
  return result.success
    ? { kind: 'stated', result: result.data }
    : refusal('wrong-shape', firstIssue(result.error));
};
