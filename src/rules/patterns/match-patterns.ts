import {
  lineOf,
  nodesOfKinds,
  parseTree,
  type Grammar,
  type ScriptGrammar,
  type SyntaxNode,
} from '../../pipeline/syntax-tree.ts';
import { PATTERN_RULES } from './catalog.ts';
import { readCall } from './call.ts';
import { createPatternFile, type PatternFile } from './pattern-file.ts';
import type { CallRule, Judgement, NodeRule, PatternLanguage } from './pattern-rule.ts';
import { CSHARP } from './syntax/csharp.ts';
import { GO } from './syntax/go.ts';
import { JAVA } from './syntax/java.ts';
import { JAVASCRIPT } from './syntax/javascript.ts';
import type { LanguageSyntax } from './syntax/language-syntax.ts';
import { PHP } from './syntax/php.ts';
import { PYTHON } from './syntax/python.ts';
import { RUBY } from './syntax/ruby.ts';

/** A place where a rule holds. */
export type PatternMatch = {
  readonly rule: string;
  readonly line: number;
  readonly endLine: number;
  readonly isDoubtful: boolean;
};

/** `isWhole`: the file was looked at from its beginning to its end. */
export type PatternsOfFile = {
  readonly matches: readonly PatternMatch[];
  readonly isWhole: boolean;
};

/** A tree takes some hundred times the memory of its text; scripts are bundled into large ones. */
const lengthMax = ({ language }: RuleTable): number =>
  language === 'javascript' ? 2_000_000 : 1_000_000;
/** No file that people wrote has more calls that a rule would look at. */
const NODES_MAX = 5000;

/** Whether there are rules for files of this language; by linguist's name. */
export const hasPatternRules = (language: string): boolean => LANGUAGES.has(language);

/**
 * The places where a rule of the file's language holds, from its text alone. Most files name nothing
 * that a rule looks for, and are not parsed; of the others one walk finds all calls.
 */
export const matchPatterns = async (language: string, text: string): Promise<PatternsOfFile> => {
  const known = LANGUAGES.get(language);
  if (known === undefined) return NOT_LOOKED_AT;
  const { grammar, table } = known;
  const names = namesIn(text, table);
  const nodeRules = table.nodeRules.filter(({ mentions }) =>
    mentions.some((word) => text.includes(word)),
  );
  if (names.size === 0 && nodeRules.length === 0) return { matches: [], isWhole: true };
  if (text.length > lengthMax(table)) return NOT_LOOKED_AT;
  const root = await parseTree(grammar, text);
  if (root === undefined) return NOT_LOOKED_AT;

  const file = createPatternFile(root, text, table.syntax);
  const calls = callsIn(root, [...names], table);
  const nodes = nodeRules.map((rule) => ({ rule, found: nodesOfKinds(root, rule.kinds) }));
  const matches = [
    ...calls.slice(0, NODES_MAX).flatMap((node) => matchCall(node, table, file)),
    ...nodes.flatMap(({ rule, found }) =>
      found
        .slice(0, NODES_MAX)
        .flatMap((node) => matchOf(rule, rule.judge(node, file), shownOf(node))),
    ),
  ];
  return {
    matches: unique(matches),
    isWhole:
      calls.length <= NODES_MAX &&
      nodes.every(({ found }) => found.length <= NODES_MAX) &&
      !isLost(root, table),
  };
};

/**
 * Whether something that a rule looks for stands where the parser could make nothing of the text. Other
 * errors change nothing: grammars are behind their languages, and find their way again.
 */
const isLost = (root: SyntaxNode, table: RuleTable): boolean => {
  const errors = nodesOfKinds(root, ['ERROR']);
  return errors.slice(0, ERRORS_MAX).some((error) => {
    const text = error.text().slice(0, ERROR_LENGTH_MAX);
    return (
      namesIn(text, table).size > 0 ||
      table.nodeRules.some(({ mentions }) => mentions.some((word) => text.includes(word)))
    );
  });
};

const ERRORS_MAX = 100;
const ERROR_LENGTH_MAX = 10_000;

const NOT_LOOKED_AT: PatternsOfFile = { matches: [], isWhole: false };

type RuleTable = {
  readonly language: PatternLanguage;
  readonly syntax: LanguageSyntax;
  readonly byName: ReadonlyMap<string, readonly CallRule[]>;
  readonly nodeRules: readonly NodeRule[];
};

const tableOf = (language: PatternLanguage, syntax: LanguageSyntax): RuleTable => {
  const own = PATTERN_RULES.filter((rule) => rule.language === language);
  const byName = new Map<string, CallRule[]>();
  for (const rule of own) {
    if (rule.looksAt !== 'calls') continue;
    for (const name of rule.names) byName.set(name, [...(byName.get(name) ?? []), rule]);
  }
  return { language, syntax, byName, nodeRules: own.filter((rule) => rule.looksAt === 'nodes') };
};

const SCRIPTS = tableOf('javascript', JAVASCRIPT);

const LANGUAGES: ReadonlyMap<
  string,
  { readonly grammar: Grammar | ScriptGrammar; readonly table: RuleTable }
> = new Map([
  ['C#', { grammar: 'csharp', table: tableOf('csharp', CSHARP) }],
  ['Go', { grammar: 'go', table: tableOf('go', GO) }],
  ['Java', { grammar: 'java', table: tableOf('java', JAVA) }],
  ['JavaScript', { grammar: 'JavaScript', table: SCRIPTS }],
  ['PHP', { grammar: 'php', table: tableOf('php', PHP) }],
  ['Python', { grammar: 'python', table: tableOf('python', PYTHON) }],
  ['Ruby', { grammar: 'ruby', table: tableOf('ruby', RUBY) }],
  ['TSX', { grammar: 'Tsx', table: SCRIPTS }],
  ['TypeScript', { grammar: 'TypeScript', table: SCRIPTS }],
]);

/** Names of the rules' calls that stand in the text at all. */
const namesIn = (text: string, { byName }: RuleTable): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const [word] of text.matchAll(/[A-Za-z_]\w*[!?]?/g)) {
    // In Ruby the mark belongs to the name; elsewhere it stands behind it.
    const name = byName.has(word) ? word : word.replace(/[!?]$/, '');
    if (byName.has(name)) found.add(name);
  }
  return found;
};

const callsIn = (
  root: SyntaxNode,
  names: readonly string[],
  { syntax }: RuleTable,
): readonly SyntaxNode[] => {
  if (names.length === 0) return [];
  const pattern = `^(?:${names.map((name) => name.replace('?', '[?]')).join('|')})$`;
  return root.findAll({ rule: { any: syntax.calls.map(({ find }) => find(pattern)) } });
};

const matchCall = (
  node: SyntaxNode,
  { syntax, byName }: RuleTable,
  file: PatternFile,
): readonly PatternMatch[] => {
  const call = readCall(node, syntax);
  if (call === undefined) return [];
  return (byName.get(call.name) ?? []).flatMap((rule) =>
    matchOf(rule, rule.judge(call, file), call.nameNode),
  );
};

const matchOf = (
  { id }: { readonly id: string },
  judgement: Judgement | undefined,
  node: SyntaxNode,
): readonly PatternMatch[] => {
  if (judgement === undefined) return [];
  const line = lineOf(node);
  const endLine = Math.min(node.range().end.line + 1, line + SHOWN_LINES_MAX);
  return [{ rule: id, line, endLine, isDoubtful: judgement === 'doubtful' }];
};

/** A method begins with its annotations; its name shows what it is. */
const shownOf = (node: SyntaxNode): SyntaxNode =>
  node.kind() === 'method_declaration' ? (node.field('name') ?? node) : node;

const SHOWN_LINES_MAX = 20;

/** One line has a defect once, however often it shows there. */
const unique = (matches: readonly PatternMatch[]): readonly PatternMatch[] => {
  const byPlace = new Map<string, PatternMatch>();
  for (const match of matches) {
    const key = `${match.line} ${match.rule}`;
    const known = byPlace.get(key);
    if (known === undefined || (known.isDoubtful && !match.isDoubtful)) byPlace.set(key, match);
  }
  return [...byPlace.values()];
};
