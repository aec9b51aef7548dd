import type { TaskVerdict } from '../domain/commands.ts';
import type { Effect } from '../domain/effects.ts';
import type { PlannedPacket } from '../domain/events.ts';
import type { TaskResult } from '../domain/finding.ts';
import type { TaskId } from '../domain/ids.ts';
import type { AuditState } from '../decider/state.ts';
import { judgeAnswer, openTasksAfter, type JudgedTask } from '../pipeline/judge-answer.ts';
import { draftRemainder } from '../pipeline/packets.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { required } from '../std/assert.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { Artifacts } from './artifacts.ts';
import { packetBrief } from './attempts.ts';
import { plannedTaskOf } from './planned-task.ts';
import { reviewFacts } from './review-facts.ts';

type JudgeAnswer = Pick<Extract<Effect, { type: 'JudgeAnswer' }>, 'packet' | 'answer' | 'provider'>;

/**
 * Judges one recorded answer against the frozen files and keeps what is accepted as blobs. When
 * some of the packet's tasks stay open, it drafts the packet that asks for these alone.
 */
export const createJudge =
  (parts: {
    readonly artifacts: Artifacts;
    readonly blobs: BlobStore;
    readonly tree: (state: AuditState) => Promise<FrozenTree>;
  }) =>
  async (
    effect: JudgeAnswer,
    state: AuditState,
  ): Promise<{ readonly verdicts: readonly TaskVerdict[]; readonly remainder?: PlannedPacket }> => {
    const { artifacts, blobs } = parts;
    const brief = await packetBrief(state, effect.packet, artifacts);
    const settled = new Set(
      brief.tasks
        .map(({ id }) => id)
        .filter((id) => state.tasks.get(id as TaskId)?.status !== 'open'),
    );
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
    const { promptText, ...remainder } = draft;
    return {
      verdicts,
      remainder: { ...remainder, prompt: await blobs.put(Buffer.from(promptText)) },
    };
  };

/** Texts of files as they were inventoried; what cannot be had any more is left out. */
export const readTexts = async (
  tree: FrozenTree,
  paths: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const bytes = await tree.read(path).catch(() => undefined);
    if (bytes !== undefined) texts.set(path, Buffer.from(bytes).toString('utf8'));
  }
  return texts;
};

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
