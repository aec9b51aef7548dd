import { inheritedWords } from '../domain/inherited-from.ts';
import type { PlanOutput, Range } from '../domain/plan-output.ts';
import { counted, grouped } from '../std/counted.ts';
import { selectedLines } from './plan-selection.ts';
import { printable } from '../std/printable.ts';
import { MEASURED_MIN } from './plan-view.ts';

/** How many packets, units and reasons a person is shown. */
const PACKETS_SHOWN = 20;
const ROWS_SHOWN = 10;

/**
 * A plan as people read it: first how much, then what not, then the packets.
 *
 * @param start the command that does the work, as the caller would type it.
 */
export const planText = (view: PlanOutput, start: string): string =>
  [
    `Plan of audit ${view.audit} (provider ${view.provider}, depth ${view.depth}; ${standing(view)})`,
    filesLine(view),
    ...selectedLines(view),
    ...componentLine(view),
    `  cells      ${grouped(view.cells.asked)} of ${grouped(view.cells.total)} (file × lens) in ${counted(view.tasks, 'task')}`,
    ...(view.inherited === undefined
      ? []
      : [`  inherited  ${inheritedWords(view.inherited)}: in no packet, since they are answered`]),
    packetsLine(view),
    ...(view.left.packets === 0 ? [] : estimates(view)),
    ...rows(
      'lenses',
      view.lenses,
      ({ lens, tasks, cells }) => [
        lens,
        `${counted(tasks, 'task')} over ${counted(cells, 'file')}`,
      ],
      40,
    ),
    ...rows('units, the riskiest first', view.units, ({ id, files, tasks, packets, risk }) => [
      id,
      `${counted(files, 'file')}, ${counted(tasks, 'task')} in ${counted(packets, 'packet')}, ${riskText(risk)}`,
    ]),
    ...rows('left out', view.excluded, ({ status, reason, files, examples }) => [
      `${grouped(files)} ${status}`,
      `${reason}: ${examples.join(', ')}${files > examples.length ? ', …' : ''}`,
    ]),
    ...rows(
      'not asked',
      view.skipped
        .filter(({ by }) => by === 'selection')
        .toSorted((left, right) => right.files - left.files),
      ({ reason, files, lenses }) => [
        counted(files, 'file'),
        `${lenses.length <= LENSES_NAMED ? lenses.join(', ') : `${lenses.length} lenses`}: ${reason}`,
      ],
    ),
    ...rows('cut into parts', view.splits, ({ path, parts, reason }) => [
      path,
      `${parts} parts (${reason})`,
    ]),
    ...packetRows(view),
    ...(view.left.packets === 0
      ? []
      : [`${isPartlyDone(view) ? 'Go on' : 'Start it'} with: ${start}`]),
  ].join('\n');

const estimates = (view: PlanOutput): readonly string[] => [
  `  tokens     ${rangeText(view.tokens, grouped)} to read every ${isPartlyDone(view) ? 'packet that is left' : 'packet'} once; what an agent looks up or sends again comes on top`,
  view.provider === 'builtin'
    ? '  cost       none: the bundled analyzers run on this machine'
    : '  cost       unknown: casefile knows no price for this provider',
  timeLine(view),
];

const LENSES_NAMED = 4;

const isPartlyDone = ({ packets, left }: PlanOutput): boolean => left.packets < packets.length;

const standing = (view: PlanOutput): string => {
  if (view.state.startsWith('complete')) return 'complete: nothing is left to ask';
  return isPartlyDone(view)
    ? `${view.packets.length - view.left.packets} of ${counted(view.packets.length, 'packet')} done`
    : 'nothing was started';
};

const filesLine = ({ files }: PlanOutput): string => {
  const included = files.byStatus['included'] ?? 0;
  const looked = `${grouped(files.asked)} to look at`;
  return files.asked === included
    ? `  files      ${counted(files.total, 'file')}, ${looked}`
    : `  files      ${counted(files.total, 'file')}, ${looked} of ${grouped(included)} that could be`;
};

const packetsLine = (view: PlanOutput): string => {
  const { packets, left } = view;
  if (packets.length === 0) return '  packets    none';
  const largest = grouped(packets.reduce((most, { tokens }) => Math.max(most, tokens), 0));
  const all = counted(packets.length, 'packet');
  return `  packets    ${isPartlyDone(view) ? `${grouped(left.packets)} of ${all} left` : all}, the largest of ${largest} tokens`;
};

const riskText = (risk: number): string => `risk ${risk.toFixed(1)}`;

const componentLine = ({ components }: PlanOutput): readonly string[] => {
  if (components.length < 2) return [];
  const isOnly = (name: string): boolean =>
    components.filter((one) => one.name === name).length === 1;
  const names = components.slice(0, ROWS_SHOWN).map(({ id, name }) => {
    if (name === undefined || isOnly(name)) return printable(name ?? id);
    return printable(`${id} (${name})`);
  });
  const more = components.length - names.length;
  return [
    `  components ${components.length}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} (--component takes one)`,
  ];
};

const timeLine = ({ time, provider, left }: PlanOutput): string => {
  if (time === undefined)
    return '  time       seconds to minutes: the analyzers are run with the plan';
  if (provider === 'handoff') {
    return `  time       ${counted(left.packets, 'packet')} for whoever takes them; each is for one sitting of an agent`;
  }
  const basis =
    time.basis === 'measured'
      ? `measured: ${rangeText(time.packetMs, roughDuration)} a packet over ${counted(time.attempts, 'attempt')}`
      : `assumed: ${rangeText(time.packetMs, roughDuration)} a packet; run --limit ${MEASURED_MIN} measures it`;
  return `  time       ${rangeText(time.totalMs, roughDuration)} with ${time.width} at a time (${basis})`;
};

/** As exact as an estimate is: 40 s, 12 min, 3.5 h. */
const roughDuration = (ms: number): string => {
  if (ms > 0 && ms < 1000) return 'under 1 s';
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 90 * 60_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.round(ms / 360_000) / 10} h`;
};

const rangeText = ({ low, high }: Range, text: (value: number) => string): string =>
  low === high ? text(low) : `${text(low)} to ${text(high)}`;

/** A heading and a row for each, the first column as wide as it needs; the rest is counted. */
const rows = <T>(
  heading: string,
  all: readonly T[],
  row: (one: T) => readonly [string, string],
  most = ROWS_SHOWN,
): readonly string[] => {
  if (all.length === 0) return [];
  const shown = all
    .slice(0, most)
    .map(row)
    .map(([first, rest]) => [printable(first, 60), rest] as const);
  const width = Math.max(...shown.map(([first]) => first.length));
  return [
    `  ${heading}`,
    ...shown.map(([first, rest]) => `    ${first.padEnd(width)}  ${printable(rest, 160)}`),
    ...(all.length > most ? [`    and ${all.length - most} more (--json lists all)`] : []),
  ];
};

const packetRows = ({ packets }: PlanOutput): readonly string[] => {
  if (packets.length === 0) return [];
  const more = packets.length - PACKETS_SHOWN;
  return [
    `  packets as they start, the riskiest of every unit and lens first (--packet ID shows one with its prompt)`,
    ...packets.slice(0, PACKETS_SHOWN).map(({ id, files, tasks, tokens, units, risk, status }) => {
      const named = units.slice(0, 3).map((unit) => printable(unit));
      const size = `${counted(files, 'file').padStart(8)} ${counted(tasks, 'task').padStart(9)} ${grouped(tokens).padStart(7)} tokens  ${riskText(risk)}`;
      return `    ${id}  ${size}  ${named.join(', ')}${units.length > 3 ? ', …' : ''}${status === 'settled' || status === 'abandoned' ? `  (${status})` : ''}`;
    }),
    ...(more > 0 ? [`    and ${more} more (--json lists all)`] : []),
  ];
};
