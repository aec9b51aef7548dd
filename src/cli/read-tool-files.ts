import { z } from 'zod';
import { parseAnalyzerResults } from '../domain/analyzer-results.ts';
import type { InputKind } from '../domain/events.ts';
import { parseRuntimeUpdates } from '../domain/runtime-updates.ts';
import { UsageError } from '../domain/usage-error.ts';
import { readJson } from '../std/json-bytes.ts';
import { readInput, type InputFile, type LeftFile, type ReadInputs } from './read-inputs.ts';

type ToolKind = Exclude<InputKind, 'answers'>;

/** Reads files of tools; which kind each is, its content says. One bad file does not stop the rest. */
export const readToolFiles = async (paths: readonly string[]): Promise<ReadInputs> => {
  const files: InputFile[] = [];
  const left: LeftFile[] = [];
  for (const path of paths) {
    try {
      files.push(await readToolFile(path));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      left.push({ path, why: 'refused', message: error.message });
    }
  }
  return { files, left };
};

/**
 * Reads one file of a tool and checks the whole of it (R42).
 *
 * @param kind what it must be; undefined: what its content looks like.
 * @throws {UsageError} naming the place in it, the value and the rule.
 */
export const readToolFile = async (path: string, kind?: ToolKind): Promise<InputFile> => {
  const read = await readInput(path, 'analyzer-results', true).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path} cannot be read: ${why}`, 'Name a file.');
  });
  const is = kind ?? kindOf(read.bytes);
  const checked =
    is === 'analyzer-results' ? parseAnalyzerResults(read.bytes) : parseRuntimeUpdates(read.bytes);
  if (checked.kind === 'refused') {
    throw new UsageError(`${path}: ${checked.message}`, 'Mend the file; nothing of it was taken.');
  }
  return { path, bytes: read.bytes, kind: is };
};

const hasTool = z.looseObject({ tool: z.unknown() });

const kindOf = (bytes: Uint8Array): ToolKind => {
  const read = readJson(bytes);
  const isAnalyzers =
    read.kind === 'read' && hasTool.safeParse(read.value).data?.tool !== undefined;
  return isAnalyzers ? 'analyzer-results' : 'runtime-updates';
};
