import { z } from 'zod';
import type { Digest } from '../domain/ids.ts';
import { matchPatterns, type PatternsOfFile } from '../rules/patterns/match-patterns.ts';
import type { ContentCache } from '../platform/content-cache.ts';
import { analysisKey, keep, readKept } from './kept-analysis.ts';

const patternsOfFile = z.object({
  matches: z.array(
    z.object({
      rule: z.string(),
      line: z.int().positive(),
      endLine: z.int().positive(),
      isDoubtful: z.boolean(),
    }),
  ),
  isWhole: z.boolean(),
});

/**
 * What our rules say of a text: as it was said of the same text before, or found now. What could not be
 * looked at is not kept, since the parsers of another machine may.
 *
 * @param file.digest of the bytes that `text` is of.
 */
export const keptPatterns = async (
  cache: ContentCache,
  file: { readonly language: string; readonly digest: Digest; readonly text: string },
): Promise<PatternsOfFile> => {
  const key = analysisKey('patterns', file.language, file.digest);
  const known = await readKept(cache, key, patternsOfFile);
  if (known !== undefined) return known;
  const found = await matchPatterns(file.language, file.text);
  if (found.isWhole) keep(cache, key, found);
  return found;
};
