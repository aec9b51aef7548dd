import { isAbsolute } from 'node:path';
import { UsageError } from '../domain/usage-error.ts';
import { parseCommandTemplate } from '../providers/command-template.ts';
import { shown } from '../std/shown.ts';
import { commandWords } from './command-line.ts';

/** The words of a command in a file, which may be an array; undefined: they cannot be told. */
export const wordsInFile = async (
  command: string | readonly string[],
): Promise<readonly string[] | undefined> =>
  typeof command === 'string' ? commandWords(command) : command;

/**
 * What is wrong with a command that stands in a file of the user's, as a clause after its place.
 *
 * A program by a path from the current folder is refused: a file holds for every folder that
 * casefile is started in, and one of them has been brought by the repository.
 */
export const commandProblem = async (
  command: string | readonly string[],
): Promise<string | undefined> => {
  const words = await wordsInFile(command);
  if (words === undefined) {
    return `is ${shown(command)}: a quote in it is not closed, or it is no array of texts`;
  }
  try {
    parseCommandTemplate(words);
  } catch (error) {
    if (error instanceof UsageError) return `cannot be used: ${error.message} ${error.hint}`;
    throw error;
  }
  const program = words[0] ?? '';
  if (!program.includes('/') || isAbsolute(program)) return undefined;
  return `has the program ${shown(program)}: it must be found on PATH or named by its whole path`;
};
