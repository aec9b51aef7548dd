import type { Synthesis } from '../domain/synthesis.ts';
import { createArtifacts } from '../engine/artifacts.ts';
import { synthesizeState } from '../engine/synthesis.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';
import type { ReadAudit } from './locate.ts';

/**
 * Findings and coverage as the report of an audit has them: the stored synthesis of a finished one,
 * and what there is so far of another. Reads blobs, writes nothing.
 *
 * @throws {BlobMissingError}, {BlobDamagedError}
 */
export const synthesisOf = async ({
  state,
  files: { directory },
}: Pick<ReadAudit, 'state' | 'files'>): Promise<Synthesis> => {
  const blobs = createFileBlobStore({ disk: createNodeDisk(), directory });
  const artifacts = createArtifacts(blobs);
  const stored = state.completed && (await artifacts.find(state, 'synthesis'));
  return stored ?? (await synthesizeState(state, artifacts, blobs)).synthesis;
};
