import { includedFiles, type Disposition } from '../pipeline/disposition.ts';
import { OWN_RULES, sortLeads, type Enrichment } from '../pipeline/enrichment.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import { isModuleLanguage } from '../pipeline/language.ts';
import type { Structure } from '../pipeline/structure.ts';
import type { ContentCache } from '../platform/content-cache.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { runProgram, type RunProgram } from '../platform/subprocess.ts';
import { messageOf } from '../std/message-of.ts';
import type { Analysis } from './analyzer.ts';
import { findDuplicates } from './duplicates.ts';
import { followFlows } from './flows.ts';
import { hideSecrets } from './hide-secrets.ts';
import { runOxlint } from './oxlint.ts';
import { applyPatternRules, isRuled } from './pattern-rules.ts';
import { findSecrets, type SafeQuotes } from './secrets.ts';
import { syntaxLeads } from './syntax.ts';

/**
 * Runs the bundled analyzers over the included files of the frozen copy. One that fails leaves a
 * sentence in `incomplete` and its files in `unchecked`; the others go on. Copies are looked for in
 * all files, since what is asked about may be a copy of what is not.
 *
 * @param given.isAsked whether the others look at a file, where not all are asked about.
 * @param given.scratch absolute folder outside of the copy for the analyzers' own files.
 */
export const enrich = async (given: {
  readonly tree: FrozenTree;
  readonly inventory: Inventory;
  readonly disposition: Disposition;
  readonly structure: Structure;
  readonly isAsked?: ((path: string) => boolean) | undefined;
  readonly scratch: string;
  /** What was derived from the same contents before. */
  readonly cache?: ContentCache;
  readonly run?: RunProgram;
}): Promise<Enrichment> => {
  const { tree, structure, scratch, isAsked = () => true } = given;
  const all = includedFiles(given.inventory, given.disposition);
  const files = all.filter(({ path }) => isAsked(path));
  const { folder } = tree;
  const paths = files.map(({ path }) => path);
  const linted = files.filter(({ language }) => isModuleLanguage(language)).map(({ path }) => path);
  const ruled = files.filter(isRuled).map(({ path }) => path);
  const [syntax, lint, secrets, rules, copies, flows] = await Promise.all([
    guarded('oxc-parser', paths, () => syntaxLeads({ tree, files, structure })),
    guarded('oxlint', linted, () => {
      if (folder === undefined) throw new Error('the copy has no files on a disk');
      return runOxlint({ folder, tree, files, scratch, runProgram: given.run ?? runProgram });
    }),
    guarded('secretlint', paths, () => findSecrets({ tree, files })),
    guarded(OWN_RULES, ruled, () =>
      applyPatternRules({ tree, files, ...(given.cache && { cache: given.cache }) }),
    ),
    guarded('jscpd', [], () =>
      findDuplicates({ tree, files: all, ...(given.cache && { cache: given.cache }) }),
    ),
    guarded('casefile-flows', linted, () =>
      followFlows({ tree, files: all, structure, isAsked, cache: given.cache }),
    ),
  ]);
  const analyses: readonly Analysis[] = [syntax, lint, secrets, rules, copies, flows];
  const safeQuotes: SafeQuotes = 'safeQuotes' in secrets ? secrets.safeQuotes : new Map();
  return {
    leads: sortLeads(
      hideSecrets(
        analyses.flatMap(({ leads }) => leads),
        safeQuotes,
      ),
    ),
    analyzers: analyses.map(({ run }) => run),
    incomplete: analyses.flatMap(({ incomplete }) => incomplete),
    duplicates: 'duplicates' in copies ? [...copies.duplicates] : [],
  };
};

/** The boundary that analyzers fail at: their code and their input are both not ours. */
const guarded = async <Given extends Analysis>(
  name: string,
  files: readonly string[],
  analyze: () => Promise<Given>,
): Promise<Given | Analysis> => {
  try {
    return await analyze();
  } catch (error) {
    const reason = messageOf(error).split('\n')[0];
    return {
      leads: [],
      incomplete: [`${name} failed and checked nothing: ${reason}.`],
      run: { name, version: 'unknown', files: 0, status: 'failed', unchecked: [...files] },
    };
  }
};
