import { createRequire } from 'node:module';
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintCoreConfig, SecretLintRulePresetCreator } from '@secretlint/types';
import { z } from 'zod';
import type { Lead } from '../domain/finding.ts';
import { textOf } from '../pipeline/content.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { messageOf } from '../std/message-of.ts';
import { isTrialCode, type Analysis } from './analyzer.ts';
import { clip } from './source-lines.ts';

/** By path and line: the part of the line that shows no secret. Lines without one are not in it. */
export type SafeQuotes = ReadonlyMap<string, ReadonlyMap<number, string>>;

/**
 * Looks for secrets in every given text file, in process and with our own rules: the tree's
 * configuration and its comments that would silence a rule are not asked. A secret never leaves
 * this file: messages name its kind, quotes end in its first characters. `safeQuotes` says what may
 * be quoted of the lines that hold one, for the leads of others.
 */
export const findSecrets = async (given: {
  readonly tree: Pick<FrozenTree, 'read'>;
  readonly files: readonly InventoryFile[];
}): Promise<Analysis & { readonly safeQuotes: SafeQuotes }> => {
  const files = given.files.filter(({ encoding }) => encoding === 'text');
  const leads: Lead[] = [];
  const safeQuotes = new Map<string, ReadonlyMap<number, string>>();
  const unchecked: string[] = [];
  const incomplete: string[] = [];
  for (const { path } of files) {
    try {
      const found = await secretsIn(path, textOf(await given.tree.read(path)));
      leads.push(...found.leads);
      if (found.quotes.size > 0) safeQuotes.set(path, found.quotes);
    } catch (error) {
      unchecked.push(path);
      incomplete.push(`secretlint did not check ${path}: ${sentenceOf(error)}.`);
    }
  }
  return {
    leads,
    safeQuotes,
    incomplete,
    run: {
      name: 'secretlint',
      version: secretlintVersion(),
      lenses: ['security'],
      files: files.length - unchecked.length,
      status:
        unchecked.length === 0 ? 'done' : unchecked.length === files.length ? 'failed' : 'partial',
      unchecked,
    },
  };
};

// The library times each rule on each file and searches all earlier times for each new one, with no
// way to say no: the cost would grow with the square of the files.
secretLintProfiler.mark = () => undefined;

const secretsIn = async (
  path: string,
  text: string,
): Promise<{
  readonly leads: readonly Lead[];
  readonly quotes: ReadonlyMap<number, string>;
}> => {
  const { messages } = await lintSource({
    source: { filePath: path, content: text, ext: extensionOf(path), contentType: 'text' },
    options: { config: CONFIG, noPhysicFilePath: true, maskSecrets: true },
  });
  const quotes = quotesWithout(
    text,
    messages.map(({ range }) => range),
  );
  const leads = messages.map((message): Lead => {
    const rule = message.ruleId.replace(/^@secretlint\/secretlint-rule-/, '');
    const { line } = message.loc.start;
    return {
      analyzer: 'secretlint',
      rule: `secretlint/${rule}`,
      lens: 'security',
      ...weightOf(rule, path),
      // What stands after the colon is the masked value.
      message: `A secret stands in the file: ${message.message.split(': ')[0]}.`,
      place: { path, line },
      quote: quotes.get(line) ?? '',
      help: 'Take it out of the code and its history, and revoke it: whoever can read the repository has it.',
    };
  });
  return { leads, quotes };
};

/** Passwords in addresses are mostly examples and local services; keys and tokens seldom are. */
const USUALLY_EXAMPLES: ReadonlySet<string> = new Set(['database-connection-string', 'basicauth']);

const weightOf = (rule: string, path: string): Pick<Lead, 'severity' | 'confidence'> => {
  const isTrial = isTrialCode(path);
  if (USUALLY_EXAMPLES.has(rule)) {
    return isTrial
      ? { severity: 'low', confidence: 'low' }
      : { severity: 'medium', confidence: 'medium' };
  }
  return isTrial
    ? { severity: 'medium', confidence: 'low' }
    : { severity: 'high', confidence: 'medium' };
};

/** So little of a secret says what it is and opens nothing. */
const SHOWN_CHARACTERS = 4;
/** A secret shorter than this would be shown to a large part. */
const SHOWN_FROM = 16;

/** How much is shown of what stands before it on the line. */
const BEFORE_CHARACTERS = 120;

/**
 * For each line that a secret touches, the line up to its first secret's first characters: text
 * that stands in the file, so that the place is found again. Inside of a longer secret, nothing.
 */
const quotesWithout = (
  text: string,
  secrets: readonly (readonly [start: number, end: number])[],
): ReadonlyMap<number, string> => {
  const quotes = new Map<number, string>();
  let line = 1;
  let lineStart = 0;
  for (const [start, end] of secrets.toSorted((left, right) => left[0] - right[0])) {
    for (let next = text.indexOf('\n', lineStart); next !== -1 && next < start;) {
      line += 1;
      lineStart = next + 1;
      next = text.indexOf('\n', lineStart);
    }
    if (!quotes.has(line)) {
      const shown = end - start >= SHOWN_FROM ? SHOWN_CHARACTERS : 1;
      const from = Math.max(lineStart, start - BEFORE_CHARACTERS);
      quotes.set(line, clip(text.slice(from, start + shown).trim()));
    }
    const linesBelow = text.slice(start, end).split('\n').length - 1;
    for (let below = 1; below <= linesBelow; below += 1) quotes.set(line + below, '');
  }
  return quotes;
};

const FILTER_COMMENTS = '@secretlint/secretlint-rule-filter-comments';

/** The recommended rules without the one that lets a comment in the file silence the others. */
const preset: SecretLintRulePresetCreator = {
  ...recommended,
  create: (context, options) =>
    recommended.create(
      {
        ...context,
        registerRule: (rule, defaults) => {
          if (rule.meta.id !== FILTER_COMMENTS) context.registerRule(rule, defaults);
        },
      },
      options,
    ),
};

const CONFIG: SecretLintCoreConfig = {
  rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: preset }],
};

const extensionOf = (path: string): string => /\.[^./]+$/.exec(path)?.[0] ?? '';

const sentenceOf = (error: unknown): string => messageOf(error).split('\n')[0] ?? '';

const secretlintVersion = (): string =>
  z
    .object({ version: z.string() })
    .parse(createRequire(import.meta.url)('@secretlint/core/package.json')).version;
