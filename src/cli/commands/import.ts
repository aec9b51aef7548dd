import { findVisited, type VisitFlags } from '../visit-audit.ts';
import { readToolFiles } from '../read-tool-files.ts';
import { ingestAndTell } from './ingest.ts';

/**
 * `casefile import`: results of analyzers and of runtime validation that others ran. Each file is
 * checked whole before anything of it is taken; what holds is recorded, and used once it can be.
 */
export const importCommand = async (paths: readonly string[], flags: VisitFlags): Promise<number> =>
  ingestAndTell(await readToolFiles(paths), await findVisited(flags), flags);
