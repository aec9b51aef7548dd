import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { LENSES } from '../src/domain/vocabulary.ts';
import { readModules } from '../src/analyzers/read-tree.ts';
import { takeInventory } from '../src/analyzers/take-inventory.ts';
import { deriveDesignAssessment } from '../src/pipeline/design-assessment.ts';
import { deriveDisposition } from '../src/pipeline/disposition.ts';
import { planReview } from '../src/pipeline/planning.ts';
import { NO_HISTORY } from '../src/pipeline/shape/history.ts';
import { deriveShape } from '../src/pipeline/shape/shape.ts';
import { deriveStructure } from '../src/pipeline/structure.ts';
import { createSourceTree } from '../src/platform/git-source-tree.ts';
import { inTurns, type Measured } from './measure.ts';

/**
 * Planning a review of a git tree, without analyzers and without the log, against listing, reading,
 * digesting and parsing the same files.
 */
export const measurePlan = (folder: string, rounds = 5): Promise<Measured> =>
  inTurns(
    rounds,
    () => planOnce(folder),
    () => readOnce(folder),
  );

const planOnce = async (folder: string): Promise<void> => {
  const source = createSourceTree(folder);
  const inventory = await takeInventory(source);
  const disposition = deriveDisposition(inventory, { include: [], exclude: [] });
  const { modules } = await readModules(source, inventory, disposition);
  const structure = deriveStructure({ inventory, disposition, modules });
  const { edges, units } = structure;
  const shape = deriveShape({
    inventory,
    disposition,
    modules,
    edges,
    units,
    history: NO_HISTORY,
  });
  const shaped = { ...structure, shape };
  const { assessments } = deriveDesignAssessment({ inventory, disposition, structure: shaped });
  const settings = { lenses: [...LENSES], reviewer: 'agent' as const };
  planReview({
    inventory,
    disposition,
    structure: shaped,
    settings,
    assessments,
    covers: () => true,
  });
};

const MODULE = /\.[cm]?[jt]sx?$/;

const readOnce = (folder: string): void => {
  const modules: unknown[] = [];
  const listed = execFileSync('git', ['-C', folder, 'ls-files', '-z'], { maxBuffer: 2 ** 28 });
  for (const path of listed.toString('utf8').split('\0')) {
    if (path === '' || !lstatSync(join(folder, path)).isFile()) continue;
    const bytes = readFileSync(join(folder, path));
    hash('sha256', bytes);
    if (MODULE.test(path)) modules.push(parseSync(path, bytes.toString('utf8')).module);
  }
};
