import { answerPart } from './report-answer.ts';
import { askedPart } from './report-asked.ts';
import { notReviewedPart, reviewedPart } from './report-coverage.ts';
import { findingsPart } from './report-findings.ts';
import { layoutFindings } from './report-layout.ts';
import { makingPart } from './report-making.ts';
import { narrativePart } from './report-narrative.ts';
import { observationsPart } from './report-observations.ts';
import { quarantinedPart } from './report-quarantined.ts';
import { runtimePart } from './report-runtime.ts';
import { workBlocksPart } from './report-work-blocks.ts';
import { inert } from './inert-markdown.ts';
import type { ReportInput } from './report-input.ts';

/**
 * `report.md`: the audit for people. What was asked and what came out, how far it can be trusted, the
 * findings, what to do about them, and how it was made. Short where there is nothing to say. Whatever
 * repository or reviewers wrote stands in it as inert text.
 */
export const reportMarkdown = (input: ReportInput): string => {
  const { findings, workBlocks, observations, quarantined } = input.synthesis;
  const layout = layoutFindings(findings);
  const parts = [
    answerPart(input),
    ...narrativePart(input.narrative, layout),
    reviewedPart(input),
    notReviewedPart(input),
    findingsPart(layout),
    ...quarantinedPart(quarantined),
    ...runtimePart(input.runtime),
    ...observationsPart(observations),
    ...workBlocksPart(workBlocks, layout),
    makingPart(input),
  ];
  return (
    [
      `# Audit of ${inert(input.root.name, 100)}`,
      ...(findings.length < LONG ? [] : [contents(parts)]),
      askedPart(input),
      ...parts,
    ].join('\n\n') + '\n'
  );
};

/** Findings from which on nobody sees the whole report at once. */
const LONG = 4;

/** Links to the report's own headings, which hold no text of others. */
const contents = (parts: readonly string[]): string =>
  parts
    .flatMap((part) => /^## ([^\n]*)/.exec(part)?.[1] ?? [])
    .map(
      (title) =>
        `[${title}](#${title
          .toLowerCase()
          .replace(/[^a-z0-9 ]/g, '')
          .replaceAll(' ', '-')})`,
    )
    .join(' · ');
