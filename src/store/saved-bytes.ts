import { dirname } from 'node:path';
import type { Disk } from '../platform/disk.ts';

/**
 * Keeps cut bytes in `<file>.<name>` beside the file they are cut from, durably, before they are cut.
 * The same bytes of an earlier try that was cut short are used again; other bytes are never
 * written over, and the name gets a number.
 * @returns the file's name, relative to `directory`.
 */
export const saveBeside = async (
  { disk, directory }: { readonly disk: Disk; readonly directory: string },
  file: string,
  name: string,
  bytes: Uint8Array,
): Promise<string> => {
  for (let copy = 1; ; copy += 1) {
    const saved = `${file}.${copy === 1 ? name : `${copy}.${name}`}`;
    const path = `${directory}/${saved}`;
    const size = await disk.sizeOf(path);
    if (size !== undefined && !isPrefix(await disk.readFile(path), bytes)) continue;
    const handle = await disk.open(path, size === undefined ? 'create' : 'existing');
    try {
      await handle.write(bytes, 0);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await disk.syncDirectory(dirname(path));
    return saved;
  }
};

const isPrefix = (bytes: Uint8Array, whole: Uint8Array): boolean =>
  bytes.length <= whole.length && Buffer.compare(bytes, whole.subarray(0, bytes.length)) === 0;
