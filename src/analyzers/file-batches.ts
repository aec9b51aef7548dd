/** Bytes of file names in one call; the smallest limit on arguments that we know of is 1 MB. */
const BATCH_BYTES = 200_000;

/** Lists of paths that each fit on a command line, in their order. */
export const fileBatches = (paths: readonly string[]): readonly (readonly string[])[] => {
  const batches: string[][] = [];
  let room = 0;
  for (const path of paths) {
    const bytes = Buffer.byteLength(path) + 16;
    const last = batches.at(-1);
    if (last === undefined || bytes > room) {
      batches.push([path]);
      room = BATCH_BYTES - bytes;
    } else {
      last.push(path);
      room -= bytes;
    }
  }
  return batches;
};
