import { standingOf, tallyFindings } from '../domain/finding-standing.ts';
import { inheritedWords } from '../domain/inherited-from.ts';
import { nothingChanged } from '../domain/selection.ts';
import { SEVERITIES } from '../domain/vocabulary.ts';
import { counted, grouped } from '../std/counted.ts';
import { inert } from './inert-markdown.ts';
import type { ReportInput } from './report-input.ts';
import { sentence, share } from './report-words.ts';
import { spendWords } from './spend-words.ts';

/**
 * The audit in a few lines: what stands after verification, who has looked at how much, what it cost,
 * and whether it is over. How far it can be trusted is said before anything else can be read.
 */
export const answerPart = (input: ReportInput): string =>
  [
    '## The answer',
    headline(input),
    lookedSentence(input),
    [
      ...besides(input),
      ...gateLine(input),
      coverageLine(input),
      ...inheritedLine(input),
      `Spent: ${spendWords(input)}.`,
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    standing(input),
  ]
    .filter((part) => part !== '')
    .join('\n\n');

const headline = ({ synthesis: { findings } }: ReportInput): string => {
  const { total, bySeverity } = tallyFindings(findings);
  if (total === 0) return '**No findings.**';
  const present = SEVERITIES.flatMap((severity) =>
    bySeverity[severity] === 0 ? [] : [`${bySeverity[severity]} ${severity}`],
  );
  const judged = findings.filter(
    (one) => standingOf(one) === 'standing' && one.verdict !== 'undecided',
  ).length;
  return `**${counted(total, 'finding')}**: ${present.join(', ')}. ${secondLook(judged, total)}`;
};

const secondLook = (judged: number, total: number): string => {
  if (judged === 0) return 'No second pass has looked at what was found.';
  if (judged === total) return 'A second pass agreed, or lowered the severity, each time.';
  return `Of ${grouped(judged)} of them a second pass said that they hold; the others nobody has looked at again, or could not decide.`;
};

/** Findings that are in the report and not in its headline. */
const besides = ({ synthesis: { findings } }: ReportInput): readonly string[] => {
  const { notAnchored, refuted } = tallyFindings(findings);
  return [
    ...(notAnchored === 0
      ? []
      : [
          `Not counted: ${counted(notAnchored, 'statement')} whose quoted source is not in the file.`,
        ]),
    ...(refuted === 0
      ? []
      : [`Not counted: ${counted(refuted, 'finding')} that a second pass refuted.`]),
  ];
};

const gateLine = ({ settings, overGate }: ReportInput): readonly string[] =>
  settings.failOn === 'none'
    ? []
    : [
        `Gate, severity ${settings.failOn} or above: ${overGate === 0 ? 'no finding is over it' : `**${counted(overGate, 'finding')} over it**`}.`,
      ];

const coverageLine = ({ synthesis: { coverage } }: ReportInput): string => {
  const { cells, counts, files } = coverage;
  const of = (count: number, words: string): string[] =>
    count === 0 ? [] : [`${share(count, cells)} ${words}`];
  const parts = [
    ...of(counts.reviewed, 'reviewed by an agent'),
    ...of(counts.analyzersOnly, 'by analyzers only'),
    ...of(counts.failed, 'failed'),
    ...of(counts.notReviewed, 'not reviewed'),
    ...of(counts.skipped, 'left out'),
  ];
  return `Coverage: ${grouped(files.looked)} of ${counted(files.total, 'file')} looked at${parts.length === 0 ? '' : `; of all questions ${parts.join(', ')}`}.`;
};

/** Who has looked at how much. */
const lookedSentence = ({ synthesis: { coverage }, settings }: ReportInput): string => {
  const { looked, total } = coverage.files;
  const { reviewed, analyzersOnly } = coverage.counts;
  const nothing = nothingChanged(settings.selection);
  if (nothing !== undefined) return `**${inert(nothing)}**`;
  if (reviewed === 0 && analyzersOnly === 0) return '**Nothing was reviewed.**';
  const files = `${grouped(looked)} of ${counted(total, 'file')}`;
  if (reviewed === 0) {
    return `**Analyzers only**: ${files} were checked by analyzers, and no agent or person has read the code. They see known patterns; that they found nothing in a file does not mean that it is free of defects.`;
  }
  if (analyzersOnly === 0) return `${files} were reviewed by an agent.`;
  return `${files} were looked at, some of them by analyzers only (see coverage).`;
};

/** Who trusts this report trusts those audits. */
const inheritedLine = ({ inherited }: ReportInput): readonly string[] =>
  inherited.length === 0
    ? []
    : [
        `Part of this review is from earlier audits, which read the same content under the same question: ${inheritedWords(inherited)}. Nothing was paid for it again.`,
      ];

const standing = (input: ReportInput): string => {
  const because = input.reasons.map((reason) => `- ${inert(sentence(reason))}`).join('\n');
  if (input.how === 'full') return '';
  const status =
    input.how === 'partial'
      ? '**Partial**: something that was asked for was not done.'
      : `**Not complete**: this is what is known so far (state: ${inert(input.state)}). \`casefile run\` goes on with it.`;
  return because === '' ? status : `${status}\n\n${because}`;
};
