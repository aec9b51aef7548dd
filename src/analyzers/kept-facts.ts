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
import type { ContentCache } from '../platform/content-cache.ts';
import { analysisKey, keep, readKept } from './kept-analysis.ts';

/** A file whose bytes are known to have this digest. `text` is asked only on a miss. */
export type VerifiedText = Omit<SourceText, 'text'> & {
  readonly digest: Digest;
  readonly text: () => string;
};

export type KeptFacts = {
  /**
   * The facts of a file: as they were derived from the same content before, or derived now. Manifests are
   * read anew, since their facts name folders; so is what no parser could read, since another machine's
   * parser may.
   */
  readonly facts: (file: VerifiedText) => Promise<FileFacts | undefined>;
  /** What a file defines, likewise. */
  readonly definitions: (file: VerifiedText) => Promise<readonly DefinitionFact[] | undefined>;
};

const definitionFacts = z.array(definitionFact).readonly();

/** For one pass over a tree: of files with the same content only the first is looked at. */
export const createKeptFacts = (cache: ContentCache): KeptFacts => {
  const begun = new Map<Digest, Promise<unknown>>();
  const once = <Facts>(key: Digest, work: (key: Digest) => Promise<Facts>): Promise<Facts> => {
    const known = begun.get(key) as Promise<Facts> | undefined;
    const made = known ?? work(key);
    if (known === undefined) begun.set(key, made);
    return made;
  };
  return {
    facts: async (file) =>
      isManifest(file.path)
        ? extractFile({ ...file, text: file.text() })
        : once(keyOf('facts', file), (key) => kept(cache, key, file, fileFacts, extractFile)),
    definitions: async (file) => {
      const facts = await readKept(cache, keyOf('facts', file), fileFacts);
      if (facts?.definitions !== undefined) return facts.definitions;
      return once(keyOf('definitions', file), (key) =>
        kept(cache, key, file, definitionFacts, extractDefinitions),
      );
    },
  };
};

const kept = async <Schema extends z.ZodType>(
  cache: ContentCache,
  key: Digest,
  { text, ...file }: VerifiedText,
  schema: Schema,
  derive: (file: SourceText) => Promise<z.infer<Schema> | undefined>,
): Promise<z.infer<Schema> | undefined> => {
  const known = await readKept(cache, key, schema);
  if (known !== undefined) return known;
  const facts = await derive({ ...file, text: text() });
  if (facts !== undefined) keep(cache, key, facts);
  return facts;
};

/** All that a reader may look at in a path is behind the first dot of its name. */
const keyOf = (what: string, { path, language, digest }: Omit<VerifiedText, 'text'>): Digest => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.indexOf('.');
  const ending = dot === -1 ? '' : name.slice(dot);
  return analysisKey(what, language, ending, digest);
};
