import { z } from 'zod';
import { parseAnalyzerResults } from '../domain/analyzer-results.ts';
import type { InputKind } from '../domain/events.ts';
import { parseRuntimeUpdates } from '../domain/runtime-updates.ts';
import { UsageError } from '../domain/usage-error.ts';
import { readJson } from '../std/json-bytes.ts';
import { messageOf } from '../std/message-of.ts';
import { readInput, type InputFile, type LeftFile, type ReadInputs } from './read-inputs.ts';

type ToolKind = Exclude<InputKind, 'answers'>;

/** Reads files of tools; which kind each is, its content says. One bad file does not stop the rest. */
export const readToolFiles = async (paths: readonly string[]): Promise<ReadInputs> => {
  const files: InputFile[] = [];
  const left: LeftFile[] = [];
  for (const path of paths) {
    const taken = await takeToolFile(path, undefined);
    if ('why' in taken) left.push(taken);
    else files.push(taken);
  }
  return { files, left };
};

/**
 * Reads one file of a tool and checks the whole of it (R42).
 *
 * @param kind what it must be.
 * @throws {UsageError} naming the place in it, the value and the rule.
 */
export const readToolFile = async (path: string, kind: ToolKind): Promise<InputFile> => {
  const taken = await takeToolFile(path, kind);
  if (!('why' in taken)) return taken;
  if (taken.why === 'unreadable') {
    throw new UsageError(`${path} cannot be read: ${taken.message}`, 'Name a file.');
  }
  throw new UsageError(`${path}: ${taken.message}`, 'Mend the file; nothing of it was taken.');
};

const takeToolFile = async (
  path: string,
  kind: ToolKind | undefined,
): Promise<InputFile | LeftFile> => {
  let bytes: Uint8Array;
  try {
    ({ bytes } = await readInput(path, 'analyzer-results', true));
  } catch (error) {
    return { path, why: 'unreadable', message: messageOf(error) };
  }
  const is = kind ?? kindOf(bytes);
  // Of what is no JSON nobody can tell which kind it was meant to be.
  if (typeof is !== 'string') return { path, why: 'refused', message: `It is ${is.why}.` };
  const checked =
    is === 'analyzer-results' ? parseAnalyzerResults(bytes) : parseRuntimeUpdates(bytes);
  return checked.kind === 'refused'
    ? { path, why: 'refused', message: checked.message }
    : { path, bytes, kind: is };
};

const hasTool = z.looseObject({ tool: z.unknown() });

const kindOf = (bytes: Uint8Array): ToolKind | { readonly why: string } => {
  const read = readJson(bytes);
  if (read.kind === 'unreadable') return read;
  const isAnalyzers = hasTool.safeParse(read.value).data?.tool !== undefined;
  return isAnalyzers ? 'analyzer-results' : 'runtime-updates';
};
