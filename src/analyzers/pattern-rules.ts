import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Lead } from '../domain/finding.ts';
import { textOf } from '../pipeline/content.ts';
import { OWN_RULES } from '../pipeline/enrichment.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import { NO_CACHE, type ContentCache } from '../platform/content-cache.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { PATTERN_RULES } from '../rules/patterns/catalog.ts';
import { hasPatternRules, type PatternMatch } from '../rules/patterns/match-patterns.ts';
import { counted } from '../std/counted.ts';
import { messageOf } from '../std/message-of.ts';
import { isTrialCode, type Analysis } from './analyzer.ts';
import { keptPatterns } from './kept-patterns.ts';
import { createSourceLines, type SourceLines } from './source-lines.ts';

const RULES = new Map(PATTERN_RULES.map((rule) => [rule.id, rule]));

/** Whether we have rules for a file. */
export const isRuled = ({ language, encoding }: InventoryFile): boolean =>
  encoding === 'text' && hasPatternRules(language);

/**
 * Looks with our own rules at every file of a language that they know. A file that is too large, that
 * cannot be read or has more places to look at than a person writes is unchecked, not clean.
 */
export const applyPatternRules = async (given: {
  readonly tree: Pick<FrozenTree, 'read'>;
  readonly files: readonly InventoryFile[];
  /** The same text has the same defects. */
  readonly cache?: ContentCache;
}): Promise<Analysis> => {
  const { tree, cache = NO_CACHE } = given;
  const files = given.files.filter(isRuled);
  const leads: Lead[] = [];
  const unchecked: string[] = [];
  const incomplete: string[] = [];
  for (const { path, language } of files) {
    // Parsers work on another thread; what is cached must not keep the others waiting either.
    await nextTurn();
    try {
      const bytes = await tree.read(path);
      const text = textOf(bytes);
      const digest = digestOfBytes(bytes);
      const { matches, isWhole } = await keptPatterns(cache, { language, digest, text });
      if (!isWhole) unchecked.push(path);
      if (matches.length === 0) continue;
      const lines = createSourceLines(text);
      leads.push(...matches.flatMap((match) => leadOf(path, match, lines)));
    } catch (error) {
      unchecked.push(path);
      incomplete.push(`${OWN_RULES} did not check ${path}: ${messageOf(error).split('\n')[0]}.`);
    }
  }
  await cache.save();
  const notRead = unchecked.length - incomplete.length;
  if (notRead > 0) {
    incomplete.push(
      `${OWN_RULES} did not check all of ${counted(notRead, 'file')}: too large, too many places to look at, or without a parser on this machine.`,
    );
  }
  return {
    leads,
    incomplete,
    run: {
      name: OWN_RULES,
      version: `${PATTERN_RULES.length} rules`,
      lenses: ['security'],
      files: files.length - unchecked.length,
      status:
        unchecked.length === 0 ? 'done' : unchecked.length === files.length ? 'failed' : 'partial',
      unchecked,
    },
  };
};

const leadOf = (path: string, match: PatternMatch, lines: SourceLines): readonly Lead[] => {
  const rule = RULES.get(match.rule);
  const { line, text } = lines.quote(match.line);
  if (rule === undefined || text === '') return [];
  const { category, lens, message, help } = rule;
  // Where data comes from outside was not seen, or nobody is harmed.
  const isUnsure = match.isDoubtful || isTrialCode(path);
  const weight: Pick<Lead, 'severity' | 'confidence'> = isUnsure
    ? { severity: 'low', confidence: 'low' }
    : { severity: rule.severity, confidence: rule.confidence };
  return [
    {
      analyzer: 'casefile',
      rule: rule.id,
      category,
      lens,
      ...weight,
      message,
      place: { path, line, ...(match.endLine > line && { endLine: match.endLine }) },
      quote: text,
      help,
    },
  ];
};
