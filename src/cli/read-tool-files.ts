import { z } from 'zod';
import type { InputKind } from '../domain/events.ts';
import { parseRuntimeUpdates } from '../domain/runtime-updates.ts';
import { UsageError } from '../domain/usage-error.ts';
import { readAnalyzerReport } from '../pipeline/analyzer-reports/read-report.ts';
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
 * Reads one file of a tool and checks that it is of its kind (R42).
 *
 * @param kind what it must be.
 * @throws {UsageError} that says what it is instead, or what is wrong with it.
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
    ({ bytes } = await readInput(path, 'analyzer-results', true, TOOL_BYTES_MAX));
  } catch (error) {
    return { path, why: 'unreadable', message: messageOf(error) };
  }
  const is = kind ?? kindOf(bytes);
  const message = is === 'analyzer-results' ? whyNoReport(bytes) : whyNoUpdates(bytes);
  return message === undefined ? { path, bytes, kind: is } : { path, why: 'refused', message };
};

/** Reports of whole repositories are larger than any answer. */
const TOOL_BYTES_MAX = 1 << 26;

/** What is in a report is looked at when it is used; here, whether it is one. */
const whyNoReport = (bytes: Uint8Array): string | undefined => {
  const read = readAnalyzerReport(bytes);
  return read.kind === 'refused' ? read.message : undefined;
};

const whyNoUpdates = (bytes: Uint8Array): string | undefined => {
  const checked = parseRuntimeUpdates(bytes);
  return checked.kind === 'refused' ? checked.message : undefined;
};

const hasRows = z.looseObject({ results: z.array(z.unknown()), tool: z.undefined().optional() });

/** Updates are rows without the name of a tool. What is neither is told as a report, with what is known. */
const kindOf = (bytes: Uint8Array): ToolKind => {
  if (whyNoReport(bytes) === undefined) return 'analyzer-results';
  const read = readJson(bytes);
  const isUpdates = read.kind === 'read' && hasRows.safeParse(read.value).success;
  return isUpdates ? 'runtime-updates' : 'analyzer-results';
};
