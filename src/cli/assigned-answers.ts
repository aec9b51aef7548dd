import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../domain/usage-error.ts';
import { handOffFolder } from '../engine/hand-offs.ts';
import { readAnswers, type ReadInputs } from './read-inputs.ts';
import type { ReadAudit } from './locate.ts';

/**
 * The answers that lie in the assigned places of packets, in the plan's order; also those that were
 * handed in before, so that whoever was interrupted can do the same again.
 *
 * @throws {UsageError} without any.
 */
export const assignedAnswers = async ({ state, files }: ReadAudit): Promise<ReadInputs> => {
  const paths: string[] = [];
  for (const packet of state.packets.keys()) {
    const path = join(handOffFolder(files, packet), 'answer.json');
    if ((await stat(path).catch(() => undefined))?.isFile() === true) paths.push(path);
  }
  if (paths.length > 0) return readAnswers(paths);
  throw new UsageError(
    `No answer lies in the place of a packet (${join(files.handOffs, '<packet>', 'answer.json')}).`,
    'Name the files: casefile ingest FILE. What is to be answered is told by: casefile next',
  );
};
