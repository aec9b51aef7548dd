import type { z } from 'zod';
import type { Digest } from '../domain/ids.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import type { ContentCache } from '../platform/content-cache.ts';
import { analysisVersion } from './analysis-version.ts';

/**
 * The key of an analysis: its name, and all that it depends on beside our own code, in JSON. Another
 * version of our code has other keys.
 */
export const analysisKey = (name: string, ...on: readonly unknown[]): Digest =>
  digestOfBytes(Buffer.from(JSON.stringify([name, analysisVersion(), ...on])));

/**
 * What an analysis came to before, as it was written, so that nothing made of it differs in a byte.
 * Undefined when it is not known, and for another shape.
 */
export const readKept = async <Schema extends z.ZodType>(
  cache: Pick<ContentCache, 'get'>,
  key: Digest,
  schema: Schema,
): Promise<z.infer<Schema> | undefined> => {
  const bytes = await cache.get(key);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return schema.safeParse(value).success ? (value as z.infer<Schema>) : undefined;
  } catch {
    return undefined;
  }
};

/** Keeps it; the cache writes it when it is saved. */
export const keep = (cache: Pick<ContentCache, 'put'>, key: Digest, value: unknown): void => {
  cache.put(key, Buffer.from(JSON.stringify(value)));
};
