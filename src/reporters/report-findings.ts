import type { ReportedFinding } from '../domain/synthesis.ts';
import { counted, grouped } from '../std/counted.ts';
import { inert, inertCode } from './inert-markdown.ts';
import { findingInFull, numberOf, placeOf } from './report-finding.ts';
import type { FindingSection, ReportLayout } from './report-layout.ts';

/**
 * The findings, section by section, with a table before them where there are many. Many of one kind
 * are told once, with the first few in full and the others as a list of places; and of all only so
 * many in full as anybody reads. What is left is in findings.json, and said to be.
 */
export const findingsPart = (layout: ReportLayout): string => {
  const { sections } = layout;
  if (sections.length === 0) return '## Findings\n\nNone.';
  const room: Room = { inFull: FULL_MAX, listed: LISTED_MAX };
  return [
    '## Findings',
    ...overview(layout),
    ...sections.flatMap((section) => [
      `### ${section.title}`,
      ...(section.note === undefined ? [] : [section.note]),
      ...sectionText(section, layout, room),
    ]),
  ].join('\n\n');
};

/** In full: of one kind, and of all. */
const FULL_OF_KIND = 3;
const FULL_MAX = 100;
/** As places: of one kind, and of all. */
const LISTED_OF_KIND = 50;
const LISTED_MAX = 1000;
/** Rows of the table; fewer findings than `TABLE_MIN` need none. */
const TABLE_MAX = 25;
const TABLE_MIN = 4;

type Room = { inFull: number; listed: number };

/** What stands, in one table. */
const overview = (layout: ReportLayout): readonly string[] => {
  const standing = layout.sections
    .filter(({ kind }) => kind === 'severity' || kind === 'design')
    .flatMap(({ groups }) => groups.flat());
  if (standing.length < TABLE_MIN) return [];
  const shown = standing.slice(0, TABLE_MAX);
  const isJudged = shown.some(({ verdict }) => verdict !== 'undecided');
  const rows = shown.map((one) =>
    row([
      String(numberOf(one, layout)),
      one.severity,
      // A bar would end the cell even in code.
      placeOf(one).replaceAll('|', '\\|'),
      inert(one.title, 100),
      ...(isJudged ? [one.verdict === 'undecided' ? '' : one.verdict] : []),
    ]),
  );
  const left = standing.length - rows.length;
  return [
    [
      row(['', 'severity', 'place', 'what', ...(isJudged ? ['second pass'] : [])]),
      row(['---:', '---', '---', '---', ...(isJudged ? ['---'] : [])]),
      ...rows,
    ].join('\n'),
    ...(left === 0 ? [] : [`and ${grouped(left)} more below.`]),
  ];
};

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const sectionText = (
  { kind, groups }: FindingSection,
  layout: ReportLayout,
  room: Room,
): readonly string[] =>
  kind === 'refuted'
    ? [places(groups.flat(), layout, room, whyRefuted)]
    : groups.map((group) => kindText(group, layout, room));

const kindText = (group: readonly ReportedFinding[], layout: ReportLayout, room: Room): string => {
  const wanted = group.length <= FULL_OF_KIND + 1 ? group.length : FULL_OF_KIND;
  const shown = group.slice(0, Math.min(wanted, room.inFull));
  room.inFull -= shown.length;
  const rest = group.slice(shown.length);
  const category = inertCode(group[0]?.category ?? '');
  return [
    ...shown.map((one) => findingInFull(one, layout)),
    ...(rest.length === 0
      ? []
      : [
          `${counted(rest.length, shown.length === 0 ? 'finding' : 'more finding')} of ${category}:`,
          places(rest, layout, room),
        ]),
  ].join('\n\n');
};

const places = (
  findings: readonly ReportedFinding[],
  layout: ReportLayout,
  room: Room,
  more: (finding: ReportedFinding) => string = () => '',
): string => {
  const shown = findings.slice(0, Math.min(LISTED_OF_KIND, room.listed));
  room.listed -= shown.length;
  const left = findings.length - shown.length;
  return [
    ...shown.map(
      (one) => `- ${numberOf(one, layout)}: ${placeOf(one)} ${inert(one.title, 160)}${more(one)}`,
    ),
    ...(left === 0 ? [] : [`- and ${grouped(left)} more in findings.json`]),
  ].join('\n');
};

const whyRefuted = ({ verifications = [] }: ReportedFinding): string => {
  const said = verifications.find((one) => one.reason !== undefined);
  if (said?.reason === undefined) return '';
  const shown = said.evidence === undefined ? '' : ` See ${placeOf(said.evidence)}`;
  return ` (${inert(said.reason, 300)}${shown})`;
};
