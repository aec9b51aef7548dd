import type { InheritedResult, PlannedTask } from '../domain/events.ts';
import type { TaskId } from '../domain/ids.ts';
import { judgeInherited } from '../pipeline/judge-inherited.ts';
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
