import { inheritedWords } from '../domain/inherited-from.ts';
import { nothingChanged, selectionWords, type Selection } from '../domain/selection.ts';
import { SEVERITIES } from '../domain/vocabulary.ts';
import { analyzerWords } from './analyzer-words.ts';
import { inert, inertCode } from './inert-markdown.ts';
import { findingsPart } from './report-findings.ts';
import { coveragePart } from './report-coverage.ts';
import { counted, grouped } from '../std/counted.ts';
import { sentence } from './report-words.ts';
import type { ReportInput } from './report-input.ts';

/**
 * `report.md`: the audit for people. First what came out and how far it can be trusted, then the
 * findings, then what was looked at and what was not, then how it was made. Short where there is
 * nothing to say. Whatever repository or reviewers wrote stands in it as inert text.
 */
export const reportMarkdown = (input: ReportInput): string =>
  [
    `# Audit of ${inert(input.root.name, 100)}`,
    summaryPart(input),
    findingsPart(input.synthesis.findings),
    coveragePart(input),
    makingPart(input),
  ].join('\n\n') + '\n';

const summaryPart = (input: ReportInput): string => {
  const { findings } = input.synthesis;
  const present = SEVERITIES.flatMap((severity) => {
    const number = findings.filter((one) => one.severity === severity).length;
    return number === 0 ? [] : [`${number} ${severity}`];
  });
  const lines = [
    findings.length === 0
      ? 'No findings.'
      : `**${counted(findings.length, 'finding')}**: ${present.join(', ')}.`,
    lookedSentence(input),
    inheritedSentence(input),
    standing(input),
    ...(input.settings.failOn === 'none'
      ? []
      : [
          `${input.overGate === 0 ? 'No finding is' : `${counted(input.overGate, 'finding')} ${input.overGate === 1 ? 'is' : 'are'}`} over the gate (severity ${input.settings.failOn} or above, quoted source found in the file).`,
        ]),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
};

/** Who has looked at how much: said before anything else can be read as a clean bill of health. */
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
const inheritedSentence = ({ inherited }: ReportInput): string =>
  inherited.length === 0
    ? ''
    : `Part of this review is from earlier audits, which read the same content under the same question: ${inheritedWords(inherited)}. Nothing was paid for it again.`;

const standing = (input: ReportInput): string => {
  const because = input.reasons.map((reason) => `- ${inert(sentence(reason))}`).join('\n');
  if (input.how === 'full') return '';
  const status =
    input.how === 'partial'
      ? '**Partial**: something that was asked for was not done.'
      : `**Not complete**: this is what is known so far (state: ${inert(input.state)}). \`casefile run\` goes on with it.`;
  return because === '' ? status : `${status}\n\n${because}`;
};

const depthWords = (depth: ReportInput['settings']['depth']): string =>
  depth === undefined ? '' : `, depth ${depth}`;

const makingPart = (input: ReportInput): string => {
  const { root, settings, spend } = input;
  const rows = [
    `Audit ${inertCode(input.audit)}, ${input.startedAt} to ${input.endedAt}, by casefile ${inert(input.tool.version)}.`,
    `Input: ${root.commit === undefined ? 'no git commit' : `commit ${inertCode(root.commit)}`}, ${root.inventory === 'git' ? 'files of the git index and untracked ones' : 'files found by walking the folder'}, digest ${inertCode(input.inputDigest)}.`,
    `Asked: provider ${settings.provider}${settings.model === undefined ? '' : ` (${inert(settings.model)})`}, lenses ${settings.lenses.join(', ').replaceAll('_', '\\_')}${depthWords(settings.depth)}${patterns('component', settings.components ?? [])}${patterns('include', settings.include)}${patterns('exclude', settings.exclude)}.`,
    ...selectionRow(settings.selection),
    ...(input.analyzers.length === 0
      ? []
      : [
          `Analyzers: ${input.analyzers
            .map((one) => `${inert(one.name)} ${inert(one.version)} (${inert(analyzerWords(one))})`)
            .join(', ')}.`,
        ]),
    `Work: ${counted(spend.attempts.started, 'attempt')}${costOf(input)}.`,
    `Log: event ${input.position.seq}, line hash ${inertCode(input.position.hash)}.`,
  ];
  return ['## How this report was made', rows.map((row) => `- ${row}`).join('\n')].join('\n\n');
};

const selectionRow = (selection: Selection | undefined): readonly string[] => {
  if (selection === undefined) return [];
  const differing = selection.differing?.length ?? 0;
  const than = selection.kind === 'staged' ? 'what was staged' : 'the end of the range';
  return [
    `Selected: ${inert(selectionWords(selection))}, and the nearest of what depends on it.${differing === 0 ? '' : ` ${counted(differing, 'file')} lay in the tree with other bytes than ${than}, and ${differing === 1 ? 'was' : 'were'} taken as in the tree.`}`,
  ];
};

const patterns = (word: string, globs: readonly string[]): string =>
  globs.length === 0 ? '' : `, ${word} ${globs.map((glob) => inertCode(glob)).join(' ')}`;

const costOf = ({ settings, spend }: ReportInput): string => {
  if (settings.reviewer === 'analyzers') return ', no model was used and nothing was spent';
  const { ended } = spend.attempts;
  const tokens =
    ended === spend.tokens.unknown
      ? ', tokens unknown'
      : `, ${spend.tokens.input} input and ${spend.tokens.output} output tokens${spend.tokens.unknown === 0 ? '' : ` (${spend.tokens.unknown} attempts did not say)`}`;
  const cost =
    ended === spend.costUsd.unknown
      ? ', cost unknown'
      : `, ${spend.costUsd.sum.toFixed(2)} USD${spend.costUsd.unknown === 0 ? '' : ' or more'}`;
  return `${tokens}${cost}`;
};
