import type { FindingSource, ReportedFinding } from '../domain/synthesis.ts';
import { inLensOrder } from '../domain/vocabulary.ts';
import { inert, inertBlock, inertCode, inertParagraphs } from './inert-markdown.ts';
import type { ReportLayout } from './report-layout.ts';
import { capital, lensWords } from './report-words.ts';
import { counted } from '../std/counted.ts';

/** One finding with everything that a person needs to believe it or not. */
export const findingInFull = (finding: ReportedFinding, layout: ReportLayout): string =>
  [
    `#### ${numberOf(finding, layout)}. ${inert(finding.title)}`,
    `${placeOf(finding)} · ${finding.severity} · ${inertCode(finding.category)} · ${lensWords(finding.lenses)} · confidence ${finding.confidence} · ${inertCode(finding.id)}`,
    inertBlock(numbered(finding), QUOTE_MAX),
    ...(saysMore(finding) ? [inertParagraphs(finding.explanation, EXPLANATION_MAX)] : []),
    ...traceOf(finding),
    ...(finding.suggestion === undefined || finding.suggestion.trim() === ''
      ? []
      : [`**What to do:** ${inertParagraphs(finding.suggestion)}`]),
    `**Who says so:** ${whoSays(finding)}`,
    ...otherWords(finding),
    ...secondPass(finding),
  ].join('\n\n');

export const numberOf = ({ id }: ReportedFinding, { numbers }: ReportLayout): number =>
  numbers.get(id) ?? 0;

export const placeOf = ({ place }: Pick<ReportedFinding, 'place'>): string => {
  const { path, line, endLine } = place;
  return inertCode(
    `${path}:${line}${endLine === undefined || endLine === line ? '' : `-${endLine}`}`,
  );
};

const QUOTE_MAX = 2000;
const EXPLANATION_MAX = 4000;
const STEPS_MAX = 20;
const OTHERS_MAX = 5;

/** The quote with the numbers of its lines, where its lines are those of the file. */
const numbered = ({ quote, place, anchored }: ReportedFinding): string => {
  const lines = quote.split(/\r\n|\r|\n/);
  const last = place.endLine ?? place.line;
  if (!anchored || lines.length !== last - place.line + 1) return quote;
  const width = String(last).length;
  return lines
    .map((line, index) => `${String(place.line + index).padStart(width)} | ${line}`)
    .join('\n');
};

const traceOf = ({ trace }: ReportedFinding): readonly string[] => {
  if (trace === undefined) return [];
  const steps = trace
    .slice(0, STEPS_MAX)
    .map(
      ({ place, says }, index) =>
        `${index + 1}. ${inertCode(`${place.path}:${place.line}`)} ${inert(says, 200)}`,
    );
  const left = trace.length - steps.length;
  return [
    '**How the data gets there:**',
    [
      ...steps,
      ...(left === 0 ? [] : [`${steps.length + 1}. and ${counted(left, 'step')} more`]),
    ].join('\n'),
  ];
};

/** Providers with their lenses; analyzers with their rules. */
const whoSays = ({ sources, analyzers = [] }: ReportedFinding): string => {
  const lenses = new Map<string, Set<FindingSource['lens']>>();
  for (const { provider, lens } of sources) {
    if (provider === 'builtin' && analyzers.length > 0) continue;
    const known = lenses.get(provider);
    if (known === undefined) lenses.set(provider, new Set([lens]));
    else known.add(lens);
  }
  return [
    ...[...lenses].map(([provider, own]) => `${provider} (${lensWords(inLensOrder(own))})`),
    ...analyzers
      .slice(0, OTHERS_MAX)
      .map(({ analyzer, rule }) => `${inert(analyzer, 60)} (rule ${inertCode(rule, 100)})`),
    ...(analyzers.length > OTHERS_MAX ? [`and ${analyzers.length - OTHERS_MAX} more`] : []),
  ].join(', ');
};

/** What other statements of the same defect say in other words. */
const otherWords = ({ title, category, sources }: ReportedFinding): readonly string[] => {
  const others = new Map<string, FindingSource>();
  for (const source of sources) {
    if (source.title !== title && !others.has(source.title)) others.set(source.title, source);
  }
  if (others.size === 0) return [];
  const shown = [...others.values()]
    .slice(0, OTHERS_MAX)
    .map((one) => `${inert(one.title)} (${one.severity}, ${inertCode(one.category ?? category)})`);
  const left = others.size - shown.length;
  return [`**Also told as:** ${shown.join('; ')}${left === 0 ? '' : `; and ${left} more`}`];
};

const secondPass = ({
  verdict,
  statedSeverity,
  verifications = [],
}: ReportedFinding): readonly string[] => {
  if (verdict === 'undecided' && verifications.length === 0) return [];
  const from = statedSeverity === undefined ? '' : `, stated as ${statedSeverity}`;
  const said = verifications.flatMap(({ by, reason, evidence }) => {
    if (reason === undefined) return [];
    const who = by === undefined ? '' : `${by}: `;
    const shown = evidence === undefined ? '' : ` See ${placeOf(evidence)}`;
    return [`${who}${inert(reason, 500)}${shown}`];
  });
  return [`**Second pass:** ${[capital(verdict) + from, ...said].join('. ')}`];
};

/** An analyzer's explanation repeats its title and rule, which stand above it already. */
const saysMore = ({ explanation, title, sources }: ReportedFinding): boolean => {
  const isRepeat = explanation.trim().startsWith(title.trim());
  const isAnalyzers = sources.every((source) => source.provider === 'builtin');
  return !(isRepeat && (isAnalyzers || explanation.trim() === title.trim()));
};
