import { UsageError } from '../domain/usage-error.ts';
import { isFolder, readAnswers, type ReadInputs } from './read-inputs.ts';
import { readToolFile } from './read-tool-files.ts';

/** What a call of `run` may bring along. */
export type RunInputFlags = {
  readonly results?: string | undefined;
  readonly batchResults?: string | undefined;
  readonly updates?: string | undefined;
  readonly externalAnalyzerResults?: readonly string[] | undefined;
};

/**
 * Reads what is handed in with a run, before anything is begun.
 *
 * @throws {UsageError} when a file that was named cannot be read, or is no file of its kind.
 */
export const readRunInputs = async (flags: RunInputFlags): Promise<ReadInputs> => {
  const { results, batchResults, updates, externalAnalyzerResults } = flags;
  if (results !== undefined && batchResults !== undefined) {
    throw new UsageError('--results and --batch-results exclude each other.', 'Give one of them.');
  }
  if (results !== undefined && (await isFolder(results))) {
    throw new UsageError(`--results ${results} is a folder.`, 'For a folder: --batch-results DIR.');
  }
  if (batchResults !== undefined && !(await isFolder(batchResults))) {
    throw new UsageError(
      `--batch-results ${batchResults} is no folder.`,
      'For one file: --results FILE.',
    );
  }
  const answers = results ?? batchResults;
  const read = answers === undefined ? { files: [], left: [] } : await readAnswers([answers]);
  const tools = await Promise.all([
    ...(externalAnalyzerResults ?? []).map((file) => readToolFile(file, 'analyzer-results')),
    ...(updates === undefined ? [] : [readToolFile(updates, 'runtime-updates')]),
  ]);
  return { files: [...tools, ...read.files], left: read.left };
};
