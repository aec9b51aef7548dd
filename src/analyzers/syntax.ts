import { createRequire } from 'node:module';
import { z } from 'zod';
import type { Lead } from '../domain/finding.ts';
import { textOf } from '../pipeline/content.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import { isModuleLanguage } from '../pipeline/language.ts';
import type { Structure } from '../pipeline/structure.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { isTrialCode, type Analysis } from './analyzer.ts';
import { createSourceLines } from './source-lines.ts';

/**
 * Syntax errors, as the structure stage's parser found them: one lead a file, the first error,
 * since the others mostly follow from it.
 */
export const syntaxLeads = async (given: {
  readonly tree: Pick<FrozenTree, 'read'>;
  readonly files: readonly InventoryFile[];
  readonly structure: Structure;
}): Promise<Analysis> => {
  const parsed = new Set(given.structure.parsed);
  const files = given.files.filter(({ language }) => isModuleLanguage(language));
  const unchecked = files.map(({ path }) => path).filter((path) => !parsed.has(path));
  const languages = new Map(given.files.map(({ path, language }) => [path, language]));
  const leads: Lead[] = [];
  const seen = new Set<string>();
  for (const { path, line, message } of given.structure.syntaxErrors) {
    if (seen.has(path)) continue;
    seen.add(path);
    const parser = parserOf(languages.get(path));
    const quoted = createSourceLines(textOf(await given.tree.read(path))).quote(line);
    if (quoted.text === '') continue;
    leads.push({
      analyzer: parser,
      rule: `${parser}/syntax-error`,
      lens: 'correctness',
      // Broken files are often kept on purpose where things are tried out.
      severity: isTrialCode(path) ? 'low' : 'medium',
      confidence: isTrialCode(path) ? 'low' : 'high',
      message: `The file does not parse: ${message}`,
      place: { path, line: quoted.line },
      quote: quoted.text,
    });
  }
  return {
    leads,
    incomplete:
      unchecked.length === 0
        ? []
        : [`The parser did not read ${unchecked.length} of ${files.length} files: they changed.`],
    run: {
      name: 'oxc-parser',
      version: z
        .object({ version: z.string() })
        .parse(createRequire(import.meta.url)('oxc-parser/package.json')).version,
      lenses: ['correctness'],
      files: files.length - unchecked.length,
      status: unchecked.length === 0 ? 'done' : 'partial',
      unchecked,
    },
  };
};

/** Vue and Svelte files hold scripts that the same parser reads. */
const parserOf = (language = ''): 'oxc-parser' | 'tree-sitter' =>
  isModuleLanguage(language) || language === 'Vue' || language === 'Svelte'
    ? 'oxc-parser'
    : 'tree-sitter';
