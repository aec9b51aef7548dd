import type { TaskVerdict } from '../domain/commands.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import type { TaskResult } from '../domain/finding.ts';
import type { TaskId } from '../domain/ids.ts';
import type { AuditState } from '../decider/state.ts';
import { judgeAnswer, openTasksAfter, type JudgedTask } from '../pipeline/judge-answer.ts';
import { draftRemainder } from '../pipeline/packets.ts';
import { required } from '../std/assert.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { packetBrief } from './attempts.ts';
import type { Judged, JudgeAnswer, JudgeParts } from './judge-parts.ts';
import { judgeFindings } from './judging-findings.ts';
import { judgeStory } from './judging-narrative.ts';
import { readTexts } from './read-texts.ts';
import { withPrompt } from './planned-packet.ts';
import { plannedTaskOf } from './planned-task.ts';
import { reviewFacts } from './review-facts.ts';

/**
 * Judges one recorded answer against the frozen files and keeps what is accepted as blobs. When
 * some of the packet's tasks stay open, it drafts the packet that asks for these alone.
 */
export const createJudge =
  (parts: JudgeParts) =>
  async (effect: JudgeAnswer, state: AuditState): Promise<Judged> => {
    const { artifacts, blobs } = parts;
    const brief = await packetBrief(state, effect.packet, artifacts);
    if (brief.tasks[0]?.kind === 'narrative') return judgeStory(parts, effect, state, brief);
    if (brief.tasks[0]?.kind === 'verification')
      return judgeFindings(parts, effect, state, brief, settledIn(brief, state));
    const settled = settledIn(brief, state);
    const bytes = await blobs.get(effect.answer.digest);
    const paths = new Set(brief.tasks.flatMap(({ files }) => files.map(({ path }) => path)));
    const texts = await readTexts(await parts.tree(state), paths);
    const judged = judgeAnswer({
      bytes,
      brief,
      settled,
      provider: effect.provider,
      isPlannedElsewhere: (task) => state.tasks.has(task as TaskId),
      // Only what was handed in from outside has nobody's attempt behind it, and was opened first.
      isLookedThrough: effect.provider === 'handoff',
      read: (path) => texts.get(path),
    });
    const verdicts = await Promise.all(judged.map((one) => verdictOf(one, blobs)));
    const open = openTasksAfter(brief, settled, judged);
    const { spec } = required(state.packets.get(effect.packet), 'I2: the packet is planned');
    const { facts, context } = await reviewFacts(state, artifacts);
    const draft = draftRemainder(
      spec,
      open.map((id) =>
        plannedTaskOf(
          required(state.tasks.get(id as TaskId), 'I2: the tasks of a packet are planned'),
        ),
      ),
      facts,
      context,
    );
    if (draft === undefined) return { verdicts };
    return { verdicts, remainder: await withPrompt(draft, blobs) };
  };

const settledIn = (brief: PacketBrief, state: AuditState): ReadonlySet<string> =>
  new Set(
    brief.tasks
      .map(({ id }) => id)
      .filter((id) => state.tasks.get(id as TaskId)?.status !== 'open'),
  );

const verdictOf = async (judged: JudgedTask, blobs: BlobStore): Promise<TaskVerdict> =>
  judged.kind === 'rejected' ? judged : keepResult(judged, blobs);

/** Keeps an accepted result as a blob. */
export const keepResult = async (
  { task, result, findings }: Extract<JudgedTask, { kind: 'accepted' }>,
  blobs: BlobStore,
): Promise<Extract<TaskVerdict, { kind: 'accepted' }> & Pick<TaskResult, 'verdict'>> => {
  const { verdict, findings: stated } = result;
  const blob = await blobs.put(Buffer.from(`${JSON.stringify({ verdict, findings: stated })}\n`));
  return { kind: 'accepted', task, result: blob, verdict, findings };
};
