import type { AuditState } from '../decider/state.ts';
import type { TaskVerdict } from '../domain/commands.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import { countSeverities } from '../domain/severity-counts.ts';
import { judgeNarrative } from '../pipeline/judge-narrative.ts';
import type { JudgeAnswer, Judged, JudgeParts } from './judge-parts.ts';

/** What came back for the packet of the narrative. */
export const judgeStory = async (
  { artifacts, blobs }: JudgeParts,
  { answer }: JudgeAnswer,
  state: AuditState,
  brief: PacketBrief,
): Promise<Judged> => {
  const findings = (await artifacts.find(state, 'synthesis'))?.findings ?? [];
  const known = new Set<string>(findings.flatMap(({ id, aliases = [] }) => [id, ...aliases]));
  const judged = judgeNarrative({
    bytes: await blobs.get(answer.digest),
    brief,
    isFinding: (id) => known.has(id),
  });
  const verdicts = await Promise.all(
    judged.map(async (one): Promise<TaskVerdict> => {
      if (one.kind === 'rejected') return one;
      const stored = { verdict: 'written', narrative: one.narrative };
      return {
        kind: 'accepted',
        task: one.task,
        result: await blobs.put(Buffer.from(`${JSON.stringify(stored)}\n`)),
        verdict: 'written',
        findings: countSeverities([]),
        ...(one.repairs.length > 0 && { repaired: one.repairs }),
      };
    }),
  );
  return { verdicts };
};
