import type { CellState, GapGroup, SkippedGroup } from '../domain/synthesis.ts';
import { inert, inertCode } from './inert-markdown.ts';
import { counted, grouped } from '../std/counted.ts';
import { sentence, share } from './report-words.ts';
import type { ReportInput } from './report-input.ts';

/**
 * What was looked at and what was not, in (file, lens) cells. Gaps come first and each with its
 * reason; what was left out on purpose follows, as few lines.
 */
export const coveragePart = ({ synthesis: { coverage } }: ReportInput): string => {
  const { counts, cells, files } = coverage;
  const present = SHOWN.filter(({ state }) => counts[state] > 0);
  const rows = present.map(
    ({ state, words }) =>
      `| ${words} | ${grouped(counts[state])} | ${share(counts[state], cells)} |`,
  );
  const byLens = coverage.byLens.map(
    (one) =>
      `| ${one.lens.replaceAll('_', '\\_')} | ${present.map(({ state }) => grouped(one[state])).join(' | ')} |`,
  );
  return [
    '## Coverage',
    `Counted in cells: ${counted(files.total, 'file')} under ${counted(coverage.byLens.length, 'lens').replace('lenss', 'lenses')}, each cell in one state.`,
    ['| state | cells | share |', '| --- | ---: | ---: |', ...rows].join('\n'),
    ...(byLens.length < 2
      ? []
      : [
          [
            `| lens | ${present.map(({ short }) => short).join(' | ')} |`,
            `| --- | ${present.map(() => '---:').join(' | ')} |`,
            ...byLens,
          ].join('\n'),
        ]),
    ...gapsPart(coverage.gaps, files.unreadable),
    ...skippedPart(coverage.skipped),
  ].join('\n\n');
};

const SHOWN: readonly {
  readonly state: CellState;
  readonly short: string;
  readonly words: string;
}[] = [
  { state: 'reviewed', short: 'reviewed', words: 'reviewed by an agent' },
  { state: 'analyzersOnly', short: 'analyzers only', words: 'checked by analyzers only' },
  { state: 'failed', short: 'failed', words: 'failed: given up after its attempts' },
  { state: 'notReviewed', short: 'not reviewed', words: 'not reviewed: asked for, not done' },
  { state: 'skipped', short: 'skipped', words: 'skipped: left out, see below' },
];

const gapsPart = (gaps: readonly GapGroup[], unreadable: readonly string[]): readonly string[] => {
  if (gaps.length === 0 && unreadable.length === 0) return [];
  const lines = gaps
    .slice(0, GROUPS_MAX)
    .map(
      (gap) =>
        `- ${gap.state === 'failed' ? 'Failed' : 'Not reviewed'}, ${lensWords(gap)}: ${inert(sentence(gap.reason))} ${filesOf(gap.files)}`,
    );
  const left = gaps.length - lines.length;
  return [
    '### Asked for and not done',
    [
      ...lines,
      ...(left === 0 ? [] : [`- and ${counted(left, 'more group')} in findings.json`]),
      ...(unreadable.length === 0 ? [] : [`- Could not be read: ${filesOf(unreadable)}`]),
    ].join('\n'),
  ];
};

/** One line a reason: under which lenses it holds is told when it is the same for all its files. */
const skippedPart = (skipped: readonly SkippedGroup[]): readonly string[] => {
  const reasons = new Map<string, { group: SkippedGroup; files: string[]; cells: number }>();
  for (const group of skipped) {
    const key = `${group.by}\0${group.reason}`;
    const known = reasons.get(key) ?? { group, files: [], cells: 0 };
    reasons.set(key, known);
    known.files.push(...group.files);
    known.cells += group.files.length * group.lenses.length;
  }
  if (reasons.size === 0) return [];
  const lines = [...reasons.values()].toSorted((left, right) => right.cells - left.cells);
  const left = Math.max(0, lines.length - GROUPS_MAX);
  return [
    '### Skipped, and why',
    [
      ...lines
        .slice(0, GROUPS_MAX)
        .map(
          ({ group, files, cells }) =>
            `- ${inert(sentence(group.reason))} ${counted(cells, 'cell')}, ${filesOf(files)}`,
        ),
      ...(left === 0 ? [] : [`- and ${counted(left, 'more reason')} in findings.json`]),
    ].join('\n'),
  ];
};

const GROUPS_MAX = 30;
const FILES_MAX = 5;

const filesOf = (files: readonly string[]): string => {
  const names = files.slice(0, FILES_MAX).map((file) => inertCode(file, 120));
  const left = files.length - names.length;
  return `${counted(files.length, 'file')}: ${names.join(', ')}${left === 0 ? '' : ', …'}`;
};

const lensWords = ({ lenses }: GapGroup): string => lenses.join(', ').replaceAll('_', '\\_');
