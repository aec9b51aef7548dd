import type { ReportedFinding } from '../domain/synthesis.ts';
import { SEVERITIES } from '../domain/vocabulary.ts';
import { inert, inertBlock, inertCode, inertParagraphs } from './inert-markdown.ts';
import { counted, grouped } from '../std/counted.ts';

/**
 * The findings by severity. Many of one kind are told once, with the first few in full and the
 * others as a list of places. What was refuted, and what could not be found in the source, stands
 * apart.
 */
export const findingsPart = (findings: readonly ReportedFinding[]): string => {
  if (findings.length === 0) return '## Findings\n\nNone.';
  const standing = findings.filter((one) => one.anchored && one.verdict !== 'refuted');
  const refuted = findings.filter((one) => one.verdict === 'refuted');
  const lost = findings.filter((one) => !one.anchored && one.verdict !== 'refuted');
  const parts = SEVERITIES.flatMap((severity) => {
    const here = standing.filter((one) => one.severity === severity);
    return here.length === 0 ? [] : [`### ${capital(severity)} (${here.length})`, kinds(here)];
  });
  return [
    '## Findings',
    ...parts,
    ...(lost.length === 0
      ? []
      : [
          `### Not anchored (${lost.length})`,
          'The quoted source was not found in the file. These do not count for the gate.',
          kinds(lost),
        ]),
    ...(refuted.length === 0
      ? []
      : [`### Refuted by a second pass (${refuted.length})`, placesOf(refuted)]),
  ].join('\n\n');
};

/** Shown in full of each kind; the others as places. */
const FULL_MAX = 3;
const PLACES_MAX = 50;

const kinds = (findings: readonly ReportedFinding[]): string => {
  const groups = new Map<string, ReportedFinding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.category) ?? [];
    groups.set(finding.category, group);
    group.push(finding);
  }
  return [...groups.values()].map(kind).join('\n\n');
};

const kind = (group: readonly ReportedFinding[]): string => {
  const [first] = group;
  if (first === undefined) return '';
  const shown = group.length <= FULL_MAX + 1 ? group : group.slice(0, FULL_MAX);
  const rest = group.slice(shown.length);
  return [
    ...shown.map(inFull),
    ...(rest.length === 0
      ? []
      : [
          `${counted(rest.length, 'more finding')} of ${inertCode(first.category)}:`,
          placesOf(rest),
        ]),
  ].join('\n\n');
};

const inFull = (finding: ReportedFinding): string =>
  [
    `#### ${inert(finding.title)}`,
    `${placeOf(finding)} · ${inertCode(finding.category)} · ${aboutOf(finding)}`,
    inertBlock(finding.quote),
    ...(saysMore(finding) ? [inertParagraphs(finding.explanation)] : []),
    ...otherTitles(finding).map((title) => `Also stated here: ${inert(title)}`),
    ...(finding.suggestion === undefined || finding.suggestion.trim() === ''
      ? []
      : [`Suggestion: ${inertParagraphs(finding.suggestion)}`]),
  ].join('\n\n');

const aboutOf = (finding: ReportedFinding): string => {
  const providers = [...new Set(finding.sources.map((source) => source.provider))];
  return [
    finding.lenses.join(', ').replaceAll('_', '\\_'),
    `confidence ${finding.confidence}`,
    `by ${providers.join(', ')}`,
    ...(finding.verdict === 'undecided' ? [] : [finding.verdict]),
    ...(finding.statedSeverity === undefined ? [] : [`stated as ${finding.statedSeverity}`]),
    finding.id,
  ].join(' · ');
};

const placesOf = (findings: readonly ReportedFinding[]): string => {
  const lines = findings
    .slice(0, PLACES_MAX)
    .map((finding) => `- ${placeOf(finding)} ${inert(finding.title, 160)}`);
  const left = findings.length - lines.length;
  return [...lines, ...(left === 0 ? [] : [`- and ${grouped(left)} more in findings.json`])].join(
    '\n',
  );
};

const placeOf = ({ place }: ReportedFinding): string => inertCode(`${place.path}:${place.line}`);

/** What other statements of the same place say in other words. */
const otherTitles = ({ title, sources }: ReportedFinding): readonly string[] =>
  [...new Set(sources.map((source) => source.title))].filter((other) => other !== title);

/** An analyzer's explanation repeats its title and rule, which stand above it already. */
const saysMore = ({ explanation, title, sources }: ReportedFinding): boolean => {
  const isRepeat = explanation.trim().startsWith(title.trim());
  const isAnalyzers = sources.every((source) => source.provider === 'builtin');
  return !(isRepeat && (isAnalyzers || explanation.trim() === title.trim()));
};

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
