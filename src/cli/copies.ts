import { lstat, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { auditId, type AuditId } from '../domain/ids.ts';

/**
 * The frozen copies of audits, `<cache>/casefile/<audit>/`: shared by all projects of a user, so each
 * says in `origin.json` which state directory its audit is in. It is written when the audit is made; a
 * copy without it (of a log that was moved here) is known by its audit alone.
 */
const ORIGIN_FILE = 'origin.json';
const origin = z.object({ stateDirectory: z.string() });

/**
 * Says where the audit of a copy is kept. A cache that cannot be written is no reason to fail here:
 * the stage that needs the copy says so, and what is missing only keeps the copy from being cleaned
 * once its audit is gone.
 *
 * @param base folder of all copies.
 */
export const rememberOrigin = async (
  base: string,
  audit: AuditId,
  stateDirectory: string,
): Promise<void> => {
  try {
    await mkdir(join(base, audit), { recursive: true });
    await writeFile(join(base, audit, ORIGIN_FILE), `${JSON.stringify({ stateDirectory })}\n`);
  } catch (error) {
    if (!('syscall' in (error as object))) throw error;
  }
};

export type Copy = {
  readonly audit: AuditId;
  /** Absolute. */
  readonly folder: string;
  /** Undefined: unknown. */
  readonly stateDirectory: string | undefined;
};

/** All copies below `base`, also those of other projects. Links are none of ours. */
export const listCopies = async (base: string): Promise<readonly Copy[]> => {
  const real = await realpath(base).catch(() => undefined);
  if (real === undefined) return [];
  const copies: Copy[] = [];
  for (const name of (await readdir(real)).toSorted()) {
    const audit = auditId.safeParse(name).data;
    const folder = join(real, name);
    if (audit === undefined || !(await lstat(folder)).isDirectory()) continue;
    copies.push({ audit, folder, stateDirectory: await originOf(folder) });
  }
  return copies;
};

const originOf = async (folder: string): Promise<string | undefined> => {
  try {
    const text = await readFile(join(folder, ORIGIN_FILE), 'utf8');
    return origin.safeParse(JSON.parse(text)).data?.stateDirectory;
  } catch {
    // Missing or damaged: nobody knows, and so it is nobody's.
    return undefined;
  }
};
