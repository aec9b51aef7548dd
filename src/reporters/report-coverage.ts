import type { AnalyzerSummary } from '../domain/analyzer-summary.ts';
import { analyzerWords } from './analyzer-words.ts';
import type { CellState, GapGroup, SkippedGroup } from '../domain/synthesis.ts';
import { counted, grouped } from '../std/counted.ts';
import { inert } from './inert-markdown.ts';
import type { ReportInput } from './report-input.ts';
import { filesOf, lensCount, lensWords, sentence, share } from './report-words.ts';

/** What was looked at, by whom, in (file, lens) cells. */
export const reviewedPart = ({ synthesis: { coverage }, analyzers }: ReportInput): string => {
  const { counts, cells, files } = coverage;
  const present = SHOWN.filter(({ state }) => counts[state] > 0);
  const rows = present.map(
    ({ state, words }) =>
      `| ${words} | ${grouped(counts[state])} | ${share(counts[state], cells)} |`,
  );
  const byLens = coverage.byLens.map(
    (one) =>
      `| ${lensWords([one.lens])} | ${present.map(({ state }) => grouped(one[state])).join(' | ')} |`,
  );
  return [
    '## What was reviewed, and how',
    `Counted in cells: ${counted(files.total, 'file')} under ${lensCount(coverage.byLens.length)}, each cell in one state.`,
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
    ...(!analyzers.some(hasLooked)
      ? []
      : [
          `Analyzers: ${analyzers
            .filter(hasLooked)
            .map(
              (one) =>
                `${inert(one.name, 60)} ${inert(one.version, 60)} (${inert(analyzerWords(one))})`,
            )
            .join(', ')}.`,
        ]),
  ].join('\n\n');
};

/** One that there was nothing for says nothing. */
const hasLooked = ({ files, status, leads }: AnalyzerSummary): boolean =>
  files > 0 || status !== 'done' || leads !== undefined;

/**
 * What was not looked at. Gaps come first and each with its reason; what was left out on purpose
 * follows, as few lines.
 */
export const notReviewedPart = ({ synthesis: { coverage } }: ReportInput): string => {
  const parts = [
    ...gapsPart(coverage.gaps, coverage.files.unreadable),
    ...skippedPart(coverage.skipped),
  ];
  return ['## What was not reviewed, and why', ...(parts.length === 0 ? ['Nothing.'] : parts)].join(
    '\n\n',
  );
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
        `- ${gap.state === 'failed' ? 'Failed' : 'Not reviewed'}, ${lensWords(gap.lenses)}: ${inert(sentence(gap.reason))} ${filesOf(gap.files)}`,
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

/** One line a reason, the largest first. */
const skippedPart = (skipped: readonly SkippedGroup[]): readonly string[] => {
  const reasons = new Map<string, { group: SkippedGroup; files: Set<string>; cells: number }>();
  for (const group of skipped) {
    const key = `${group.by}\0${group.reason}`;
    const known = reasons.get(key) ?? { group, files: new Set(), cells: 0 };
    reasons.set(key, known);
    for (const file of group.files) known.files.add(file);
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
            `- ${inert(sentence(group.reason))} ${counted(cells, 'cell')}, ${filesOf([...files])}`,
        ),
      ...(left === 0 ? [] : [`- and ${counted(left, 'more reason')} in findings.json`]),
    ].join('\n'),
  ];
};

const GROUPS_MAX = 30;
