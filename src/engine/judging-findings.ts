import type { AuditState } from '../decider/state.ts';
import type { TaskVerdict } from '../domain/commands.ts';
import type { TaskId } from '../domain/ids.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import { countSeverities } from '../domain/severity-counts.ts';
import { draftVerification } from '../pipeline/deepening.ts';
import { evidencePaths, judgeVerification } from '../pipeline/judge-verification.ts';
import type { FileOf } from '../pipeline/review-facts.ts';
import type { FindingToVerify } from '../pipeline/verification-prompt.ts';
import { required } from '../std/assert.ts';
import type { Artifacts } from './artifacts.ts';
import { inventoryIndex } from './attempts.ts';
import type { JudgeAnswer, Judged, JudgeParts } from './judge-parts.ts';
import { withPrompt } from './planned-packet.ts';
import { readTexts } from './read-texts.ts';

/** What came back for a packet that verifies findings; its evidence may lie in any file of the tree. */
export const judgeFindings = async (
  { artifacts, blobs, tree }: JudgeParts,
  { packet, answer }: JudgeAnswer,
  state: AuditState,
  brief: PacketBrief,
  settled: ReadonlySet<string>,
): Promise<Judged> => {
  const bytes = await blobs.get(answer.digest);
  const fileOf = await inventoryIndex(state, artifacts);
  const named = evidencePaths(bytes, brief).filter((path) => fileOf(path)?.digest !== undefined);
  const texts = await readTexts(await tree(state), new Set(named));
  const judged = judgeVerification({
    bytes,
    brief,
    settled,
    read: (path) => texts.get(path),
  });
  const verdicts = await Promise.all(
    judged.map(async (one): Promise<TaskVerdict> => {
      if (one.kind === 'rejected') return one;
      const { finding, judgement: verdict, severity } = one.stored;
      return {
        kind: 'accepted',
        task: one.task,
        result: await blobs.put(Buffer.from(`${JSON.stringify(one.stored)}\n`)),
        verdict: 'judged',
        findings: countSeverities([]),
        ...(one.repairs.length > 0 && { repaired: one.repairs }),
        judgement: { finding, verdict, ...(severity !== undefined && { severity }) },
      };
    }),
  );
  const taken = new Set(verdicts.flatMap((one) => (one.kind === 'accepted' ? [one.task] : [])));
  const { spec } = required(state.packets.get(packet), 'I2: the packet is planned');
  const open = spec.tasks.filter((id) => state.tasks.get(id)?.status === 'open' && !taken.has(id));
  if (open.length === 0 || open.length === spec.tasks.length) return { verdicts };
  const items = await findingsToVerify(state, open, artifacts, fileOf);
  if (items === undefined) return { verdicts };
  const draft = { ...draftVerification(items, { fileOf }), replaces: packet };
  return { verdicts, remainder: await withPrompt(draft, blobs) };
};

/** The findings that tasks are about, as the synthesis has them; undefined unless it has them all. */
const findingsToVerify = async (
  state: AuditState,
  tasks: readonly TaskId[],
  artifacts: Artifacts,
  fileOf: FileOf,
): Promise<readonly FindingToVerify[] | undefined> => {
  const known = new Map(
    (await artifacts.find(state, 'synthesis'))?.findings.map((one) => [one.id, one]),
  );
  const items = tasks.flatMap((task) => {
    const id = state.tasks.get(task)?.about?.finding?.id;
    const finding = id === undefined ? undefined : known.get(id);
    if (finding === undefined) return [];
    return [{ task, finding, lines: fileOf(finding.place.path)?.lines ?? 0 }];
  });
  return items.length === tasks.length ? items : undefined;
};
