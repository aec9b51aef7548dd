import { z } from 'zod';
import { splitCommandLine } from '../platform/subprocess.ts';
import { readJson } from '../std/json-bytes.ts';

/** Words as a POSIX shell takes them: quoted where that is needed. */
export const commandLine = (words: readonly string[]): string =>
  words
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(' ');

/**
 * The words of a command as people write it: a JSON array of them, or words as in a shell but without
 * one. Undefined: it is neither.
 */
export const commandWords = async (text: string): Promise<readonly string[] | undefined> => {
  if (!isJsonCommand(text)) return splitCommandLine(text).catch(() => undefined);
  const read = readJson(Buffer.from(text));
  return read.kind === 'read' ? z.array(z.string()).safeParse(read.value).data : undefined;
};

export const isJsonCommand = (text: string): boolean => text.trimStart().startsWith('[');
