import { selectionWords, type Selection } from '../domain/selection.ts';
import { counted } from '../std/counted.ts';
import { inert, inertCode } from './inert-markdown.ts';
import type { ReportInput } from './report-input.ts';
import { lensWords } from './report-words.ts';

/** What this is an answer to. */
export const askedPart = ({ settings, root }: ReportInput): string => {
  const { components = [], include, exclude, selection, depth } = settings;
  const narrowed = [
    ...patterns('component', components),
    ...patterns('include', include),
    ...patterns('exclude', exclude),
  ];
  const what = [
    root.inventory === 'git' ? 'the files of the git index and untracked ones' : 'all files',
    ...narrowed,
  ].join(', ');
  const lines = [
    selection === undefined ? `Of ${what}.` : selectionLine(selection, narrowed),
    `Under ${settings.lenses.length === 1 ? 'the lens' : 'the lenses'} ${lensWords(settings.lenses)}${depth === undefined ? '' : `; depth ${depth}`}.`,
    settings.reviewer === 'analyzers'
      ? 'By analyzers, without any model.'
      : `By an agent, through the provider ${settings.provider}${settings.model === undefined ? '' : ` (${inert(settings.model, 100)})`}.`,
  ];
  return ['## What was asked', lines.map((line) => `- ${line}`).join('\n')].join('\n\n');
};

const selectionLine = (selection: Selection, narrowed: readonly string[]): string => {
  const differing = selection.differing?.length ?? 0;
  const than = selection.kind === 'staged' ? 'what was staged' : 'the end of the range';
  const other =
    differing === 0
      ? ''
      : ` ${counted(differing, 'file')} lay in the tree with other bytes than ${than}, and ${differing === 1 ? 'was' : 'were'} taken as in the tree.`;
  return `Selected: ${[inert(selectionWords(selection)), ...narrowed].join(', ')}, and the nearest of what depends on it.${other}`;
};

const patterns = (word: string, globs: readonly string[]): readonly string[] =>
  globs.length === 0 ? [] : [`${word} ${globs.map((glob) => inertCode(glob)).join(' ')}`];
