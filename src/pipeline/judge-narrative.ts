import { narrativeResult, type Narrative } from '../domain/narrative.ts';
import { taskId } from '../domain/ids.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import { printable } from '../std/printable.ts';
import type { JudgedTask } from './judge-answer.ts';
import { firstIssue, openAnswer } from './open-answer.ts';

export type JudgedNarrative =
  | Extract<JudgedTask, { kind: 'rejected' }>
  | {
      readonly kind: 'written';
      readonly task: ReturnType<typeof taskId.parse>;
      readonly narrative: Narrative;
      /** What was put right before the answer could be read, a sentence each. */
      readonly repairs: readonly string[];
    };

/**
 * Judges what came back for the packet of the narrative: the one result that it asks for, which names only
 * findings that there are.
 *
 * @param input.isFinding whether an id is that of a finding of the audit.
 */
export const judgeNarrative = (input: {
  readonly bytes: Uint8Array;
  readonly brief: PacketBrief;
  readonly isFinding: (id: string) => boolean;
}): readonly JudgedNarrative[] => {
  const { brief, isFinding } = input;
  const [asked] = brief.tasks;
  const rejected = (
    code: Extract<JudgedTask, { kind: 'rejected' }>['code'],
    message: string,
  ): readonly JudgedNarrative[] => [
    { kind: 'rejected', ...(asked && { task: taskId.parse(asked.id) }), code, message },
  ];
  const opened = openAnswer(input.bytes, brief.packet);
  if (opened.kind === 'refused') {
    return [{ kind: 'rejected', code: opened.code, message: opened.message }];
  }
  const results = opened.kind === 'opened' ? opened.results : opened.entries;
  const [only] = results;
  if (results.length !== 1) {
    return rejected('wrong-shape', `It has ${results.length} results; one is asked for.`);
  }
  const read = narrativeResult.safeParse(only);
  if (!read.success) return rejected('wrong-shape', firstIssue(read.error));
  const { task, narrative } = read.data;
  if (task !== asked?.id) {
    return rejected('unknown-task', `The packet has no task "${printable(task, 80)}".`);
  }
  const named = [...narrative.themes, ...narrative.topRisks].flatMap(({ findings }) => findings);
  const invented = named.find((id) => !isFinding(id));
  if (invented !== undefined) {
    return rejected('wrong-shape', `"${invented}" is no finding of this audit.`);
  }
  return [{ kind: 'written', task: taskId.parse(task), narrative, repairs: opened.repairs }];
};
