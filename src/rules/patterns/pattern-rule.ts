import type { SyntaxNode } from '../../pipeline/syntax-tree.ts';
import type { Rule } from '../rule.ts';
import type { Call } from './call.ts';
import type { PatternFile } from './pattern-file.ts';

export type PatternLanguage = 'csharp' | 'go' | 'java' | 'javascript' | 'php' | 'python' | 'ruby';

/**
 * `doubtful`: it looks like the defect, and where its data comes from was not seen. Such a lead is of
 * low severity and low confidence.
 */
export type Judgement = 'defect' | 'doubtful';

/** A rule that looks at one node and at what its names stand for, and follows data no further. */
export type PatternRule = CallRule | NodeRule;

export type CallRule = Rule & {
  readonly looksAt: 'calls';
  readonly language: PatternLanguage;
  /** Last words of what is called or made: files without any of them are not even parsed. */
  readonly names: readonly string[];
  readonly judge: (call: Call, file: PatternFile) => Judgement | undefined;
};

export type NodeRule = Rule & {
  readonly looksAt: 'nodes';
  readonly language: PatternLanguage;
  readonly kinds: readonly string[];
  /** Files whose text has none of these are not even parsed. */
  readonly mentions: readonly string[];
  readonly judge: (node: SyntaxNode, file: PatternFile) => Judgement | undefined;
};

/** What all rules here share. */
export const SECURITY = { lens: 'security' } as const;
