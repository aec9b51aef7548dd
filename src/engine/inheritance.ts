import type { InheritedResult, PlannedTask } from '../domain/events.ts';
import type { TaskId } from '../domain/ids.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import { countSeverities } from '../domain/severity-counts.ts';
import type { StoredVerification } from '../domain/verification.ts';
import { judgeInherited } from '../pipeline/judge-inherited.ts';
import { judgeVerdict } from '../pipeline/judge-verification.ts';
import { taskBriefOf } from '../pipeline/packets.ts';
import type { FileOf } from '../pipeline/review-facts.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { EarlierResult } from './earlier-results.ts';
import { keepResult } from './judging.ts';
import { readTexts } from './read-texts.ts';

/**
 * Takes over what earlier audits say of tasks: judged anew against the files of this audit, and kept in
 * its own blobs, so that its log needs no other audit's files.
 *
 * @param given.tree verified: a file that is not what the inventory says is not to be had.
 */
export const inheritResults = async (given: {
  readonly tasks: readonly PlannedTask[];
  readonly results: ReadonlyMap<TaskId, EarlierResult>;
  readonly fileOf: FileOf;
  readonly tree: FrozenTree;
  readonly blobs: BlobStore;
}): Promise<ReadonlyMap<TaskId, InheritedResult>> => {
  const { results, fileOf, tree, blobs } = given;
  const inherited = new Map<TaskId, InheritedResult>();
  for (const task of given.tasks) {
    const earlier = results.get(task.id);
    if (earlier === undefined) continue;
    const { audit, event, digest, provider, result } = earlier;
    if (result.verdict === 'judged') {
      const stored = await inheritVerdict(taskBriefOf(task, fileOf), result, tree);
      if (stored === undefined) continue;
      const { finding, judgement: verdict, severity } = stored;
      inherited.set(task.id, {
        ...{ audit, event, digest, provider, verdict: 'judged', findings: countSeverities([]) },
        result: await blobs.put(Buffer.from(`${JSON.stringify(stored)}\n`)),
        judgement: { finding, verdict, ...(severity !== undefined && { severity }) },
      });
      continue;
    }
    // Only of files with findings is the text needed, and then of few at a time.
    const paths = new Set(result.findings.map(({ place }) => place.path));
    const texts = await readTexts(tree, paths);
    const judged = judgeInherited(taskBriefOf(task, fileOf), result, {
      provider,
      read: (path) => texts.get(path),
    });
    if (judged === undefined) continue;
    const { result: blob, verdict, findings } = await keepResult(judged, blobs);
    inherited.set(task.id, { audit, event, digest, result: blob, verdict, findings, provider });
  }
  return inherited;
};

/** A verdict on the same finding, whose evidence still stands in the files; else it is asked again. */
const inheritVerdict = async (
  task: PacketBrief['tasks'][number],
  stored: StoredVerification,
  tree: FrozenTree,
): Promise<StoredVerification | undefined> => {
  const { finding, judgement, severity, reason, evidence } = stored;
  if (task.finding === undefined || task.finding.id !== finding) return undefined;
  const path = evidence?.place.path;
  const texts = await readTexts(tree, new Set(path === undefined ? [] : [path]));
  const judged = judgeVerdict(
    {
      ...{ task: task.id, verdict: judgement, reason },
      ...(severity !== undefined && { severity }),
      ...(evidence !== undefined && {
        evidence: { ...evidence.place, quote: evidence.quote },
      }),
    },
    task.finding,
    (wanted) => texts.get(wanted),
    [],
  );
  return judged.kind === 'verified' ? judged.stored : undefined;
};
