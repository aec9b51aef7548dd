import type { TaskVerdict } from '../domain/commands.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import type { Quarantined, TaskResult } from '../domain/finding.ts';
import type { TaskId } from '../domain/ids.ts';
import type { RejectionCode } from '../domain/vocabulary.ts';
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
    const tree = await parts.tree(state);
    const texts = await readTexts(tree, paths);
    const judged = judgeAnswer({
      bytes,
      brief,
      settled,
      provider: effect.provider,
      isPlannedElsewhere: (task) => state.tasks.has(task as TaskId),
      // Only what was handed in from outside has nobody's attempt behind it, and was opened first.
      isLookedThrough: effect.provider === 'handoff',
      read: (path) => texts.get(path),
      roots: tree.folder === undefined ? [] : [tree.folder],
      isWordless: effect.isWordless === true,
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

const verdictOf = async (judged: JudgedTask, blobs: BlobStore): Promise<TaskVerdict> => {
  if (judged.kind === 'accepted') return keepResult(judged, blobs);
  const { task, code, message } = judged;
  return { kind: 'rejected', ...(task !== undefined && { task }), code, message };
};

/** Keeps an accepted result as a blob. The event tells its repairs, and of what was set aside how much. */
export const keepResult = async (
  { task, result, findings, repairs }: Extract<JudgedTask, { kind: 'accepted' }>,
  blobs: BlobStore,
): Promise<Extract<TaskVerdict, { kind: 'accepted' }> & Pick<TaskResult, 'verdict'>> => {
  const { verdict, findings: stated, quarantined, followUps } = result;
  const blob = await blobs.put(
    Buffer.from(
      `${JSON.stringify({ verdict, findings: stated, ...(quarantined && { quarantined }), ...(followUps && { followUps }) })}\n`,
    ),
  );
  return {
    kind: 'accepted',
    task,
    result: blob,
    verdict,
    findings,
    ...(repairs.length > 0 && { repaired: atMost(repairs) }),
    ...(quarantined && { quarantined: countCodes(quarantined) }),
  };
};

/** The log tells what was put right, not each of hundreds of places. */
const atMost = (repairs: readonly string[]): readonly string[] =>
  repairs.length <= REPAIRS_MAX
    ? repairs
    : [...repairs.slice(0, REPAIRS_MAX), `And ${repairs.length - REPAIRS_MAX} more of the kind.`];

const REPAIRS_MAX = 10;

const countCodes = (
  quarantined: readonly Quarantined[],
): Partial<Record<RejectionCode, number>> => {
  const counts: Partial<Record<RejectionCode, number>> = {};
  for (const { code } of quarantined) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};
