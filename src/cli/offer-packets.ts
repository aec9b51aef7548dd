import type { PacketId } from '../domain/ids.ts';
import { createArtifacts } from '../engine/artifacts.ts';
import { handOffFolder, openPackets, writeHandOffs, type HandOff } from '../engine/hand-offs.ts';
import type { Disk } from '../platform/disk.ts';
import { createSourceTree } from '../platform/git-source-tree.ts';
import { required } from '../std/assert.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';
import { frozenCopy } from './frozen-copy.ts';
import { refuseLinkedFolders } from './own-folders.ts';
import type { RunResult } from './run-result.ts';

export type Offered = {
  readonly handOffs: readonly HandOff[];
  /** Absolute folder of the frozen files. */
  readonly tree: string;
};

/** Writes packets that wait for somebody as files, with the frozen files that they are about. */
export const offerPackets = async (
  disk: Disk,
  { state, files, place }: Pick<RunResult, 'state' | 'files' | 'place'>,
  packets: readonly PacketId[],
): Promise<Offered> => {
  const folders = packets.map((packet) => handOffFolder(files, packet));
  await refuseLinkedFolders(place.stateDirectory, files, folders);
  const blobs = createFileBlobStore({ disk, directory: files.directory });
  const artifacts = createArtifacts(blobs);
  const inventory = await artifacts.get(state, 'inventory');
  const { audit } = required(state.opened, 'I4: an audit is open');
  const source = createSourceTree(place.root);
  const { folder: tree } = await frozenCopy(place, audit, inventory, source);
  const handOffs = await writeHandOffs({ disk, files, state, artifacts, blobs, tree }, packets);
  return { handOffs, tree };
};

/** All packets of an audit that is blocked until others review them; none otherwise. */
export const packetsToHandOff = (state: RunResult['state']): readonly PacketId[] =>
  state.blocker?.waitsFor === 'hand-off' && state.lifecycle.path === 'blocked'
    ? openPackets(state)
    : [];
