import { z } from 'zod';
import type { Digest } from '../domain/ids.ts';
import { duplicate } from '../pipeline/design/duplication.ts';
import type { ContentCache } from '../platform/content-cache.ts';
import { analysisKey, keep, readKept } from './kept-analysis.ts';

const compared = z.object({
  duplicates: z.array(duplicate),
  /** What could not be taken apart, or not be read. */
  failed: z.array(z.string()),
});

/** What a comparison of files came to. */
export type Compared = z.infer<typeof compared>;

export type ComparedFile = {
  readonly path: string;
  readonly format: string;
  readonly digest?: Digest | undefined;
};

/**
 * A comparison of the same files as it came out before, or made now: looking for duplicates is the
 * dearest part of a plan.
 *
 * @param compare also says whether each file was read and was what its digest says: only then it is kept.
 */
export const keptComparison = async (
  cache: ContentCache,
  files: readonly ComparedFile[],
  compare: () => Promise<Compared & { readonly isWhole: boolean }>,
): Promise<Compared> => {
  const names = files.map(({ path, format, digest }) => [path, format, digest]);
  const key = analysisKey('duplicates', names);
  const known = await readKept(cache, key, compared);
  if (known !== undefined) return known;
  const { duplicates, failed, isWhole } = await compare();
  if (isWhole) {
    keep(cache, key, { duplicates, failed });
    await cache.save();
  }
  return { duplicates, failed };
};
