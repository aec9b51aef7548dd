import { z } from 'zod';
import type { Digest } from '../domain/ids.ts';
import { extractDefinitions, extractFile, type SourceText } from '../pipeline/extract-file.ts';
import {
  definitionFact,
  fileFacts,
  type DefinitionFact,
  type FileFacts,
} from '../pipeline/file-facts.ts';
import { isManifest } from '../pipeline/manifests.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import type { ContentCache } from '../platform/content-cache.ts';
import { analysisVersion } from './analysis-version.ts';

/** A file whose bytes are known to have this digest. `text` is asked only on a miss. */
export type VerifiedText = Omit<SourceText, 'text'> & {
  readonly digest: Digest;
  readonly text: () => string;
};

/**
 * The facts of a file: as they were derived from the same content before, or derived now. Manifests are
 * read anew, since their facts name folders; so is what no parser could read, since another machine's
 * parser may.
 */
export const keptFacts = async (
  cache: ContentCache,
  file: VerifiedText,
): Promise<FileFacts | undefined> =>
  isManifest(file.path)
    ? extractFile({ ...file, text: file.text() })
    : kept(cache, 'facts', file, fileFacts, extractFile);

/** What a file defines, likewise. */
export const keptDefinitions = async (
  cache: ContentCache,
  file: VerifiedText,
): Promise<readonly DefinitionFact[] | undefined> =>
  kept(cache, 'definitions', file, z.array(definitionFact), extractDefinitions);

const kept = async <Facts>(
  cache: ContentCache,
  what: string,
  { text, ...file }: VerifiedText,
  schema: z.ZodType,
  derive: (file: SourceText) => Promise<Facts | undefined>,
): Promise<Facts | undefined> => {
  const key = keyOf(what, file);
  const known = parseKept<Facts>(await cache.get(key), schema);
  if (known !== undefined) return known;
  const facts = await derive({ ...file, text: text() });
  if (facts !== undefined) cache.put(key, Buffer.from(JSON.stringify(facts)));
  return facts;
};

/** All that a reader may look at in a path is behind the first dot of its name. */
const keyOf = (what: string, { path, language, digest }: Omit<VerifiedText, 'text'>): Digest => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.indexOf('.');
  const ending = dot === -1 ? '' : name.slice(dot);
  const words = [what, analysisVersion(), language, ending, digest];
  return digestOfBytes(Buffer.from(JSON.stringify(words)));
};

/** As it was written, so that nothing made of it differs in a byte; undefined for another shape. */
const parseKept = <Facts>(bytes: Uint8Array | undefined, schema: z.ZodType): Facts | undefined => {
  if (bytes === undefined) return undefined;
  try {
    const facts: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return schema.safeParse(facts).success ? (facts as Facts) : undefined;
  } catch {
    return undefined;
  }
};
