import type { FindingId } from '../domain/ids.ts';
import type { Narrative } from '../domain/narrative.ts';
import { inert, inertParagraphs } from './inert-markdown.ts';
import type { ReportLayout } from './report-layout.ts';

/** What a reviewer makes of the whole. Findings that the report does not have are not named. */
export const narrativePart = (
  narrative: Narrative | undefined,
  layout: ReportLayout,
): readonly string[] => {
  if (narrative === undefined) return [];
  const { summary, topRisks, themes } = narrative;
  const named = (ids: readonly FindingId[]): string => {
    const numbers = [...new Set(ids.flatMap((id) => layout.numbers.get(id) ?? []))];
    const shown = numbers.toSorted((left, right) => left - right);
    return shown.length === 0
      ? ''
      : ` (${shown.length === 1 ? 'finding' : 'findings'} ${shown.join(', ')})`;
  };
  return [
    [
      '## In the words of a reviewer',
      inertParagraphs(summary, 4000),
      ...(topRisks.length === 0
        ? []
        : [
            '### Largest risks',
            topRisks
              .map(
                ({ title, why, findings }) =>
                  `- **${inert(title)}**${named(findings)}: ${inert(why, 1000)}`,
              )
              .join('\n'),
          ]),
      ...(themes.length === 0
        ? []
        : [
            '### Themes',
            themes
              .map(
                ({ title, rootCause, fix, findings }) =>
                  `- **${inert(title)}**${named(findings)}: ${inert(rootCause, 2000)} What mends it: ${inert(fix, 2000)}`,
              )
              .join('\n'),
          ]),
    ].join('\n\n'),
  ];
};
