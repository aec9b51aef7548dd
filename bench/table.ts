import type { Measured } from './measure.ts';
import { grouped } from '../src/std/counted.ts';
import type { PacketFigures } from './packet-figures.ts';

/** One promise and what came of it. */
export type Row = {
  readonly what: string;
  readonly measured: string;
  /** What it is measured against, on the same machine in the same run. */
  readonly floor: string;
  readonly ratio: string;
  readonly bar: string;
  readonly ok: boolean;
};

const HEADS = ['what', 'measured', 'floor', 'ratio', 'bar', 'ok'] as const;

export const tableOf = (rows: readonly Row[]): string =>
  markdownTable([
    [...HEADS],
    ...rows.map((row) => HEADS.map((head) => (head === 'ok' ? okText(row.ok) : row[head]))),
  ]);

/** What the packets of one tree come to. */
export type PacketRow = { readonly cells: readonly string[]; readonly ok: boolean };

const PACKET_HEADS = [
  'packets of',
  'files',
  'tasks',
  'packets',
  'largest, tokens',
  'budget',
  'read again',
  'packets a file',
  'cells amiss',
  'ok',
] as const;

export const packetRow = (name: string, figures: PacketFigures): PacketRow => {
  const { files, tasks, packets, largestTokens, budgetTokens, repetition } = figures;
  const { packetsPerFile, wrongCells } = figures;
  const ok =
    largestTokens <= budgetTokens && repetition <= 1.5 && packetsPerFile <= 1.5 && wrongCells === 0;
  const counts = [files, tasks, packets, largestTokens, budgetTokens].map(grouped);
  const shares = [repetition, packetsPerFile].map((share) => `${share.toFixed(2)} ×`);
  return { ok, cells: [name, ...counts, ...shares, String(wrongCells), okText(ok)] };
};

export const packetTableOf = (rows: readonly PacketRow[]): string =>
  markdownTable([[...PACKET_HEADS], ...rows.map(({ cells }) => cells)]);

/** A Markdown table whose columns are as wide as their longest cell. */
export const markdownTable = (cells: readonly (readonly string[])[]): string => {
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...body.map(line)].join('\n');
};

const okText = (ok: boolean): string => (ok ? 'yes' : 'NO');

export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

export const milliseconds = (ms: number): string => `${ms.toFixed(msDigits(ms))} ms`;

const msDigits = (ms: number): number => {
  if (ms >= 100) return 0;
  return ms < 10 ? 2 : 1;
};

/** A time against its floor: `most` times the floor at the most. */
export const timeRow = (what: string, { ms, floorMs, ratio }: Measured, most: number): Row => ({
  what,
  measured: milliseconds(ms),
  floor: milliseconds(floorMs),
  ratio: `${ratio.toFixed(2)} ×`,
  bar: `≤ ${most} ×`,
  ok: ratio <= most,
});

/** A speed against its floor's: at least `least` of it. */
export const speedRow = (what: string, { ms, floorMs, ratio }: Measured, least: number): Row => ({
  what,
  measured: milliseconds(ms),
  floor: milliseconds(floorMs),
  ratio: `${(1 / ratio).toFixed(2)} × as fast`,
  bar: `≥ ${least} ×`,
  ok: 1 / ratio >= least,
});

/** A cost that has no floor, only a most. */
export const mostRow = (
  what: string,
  value: number,
  most: number,
  show: (value: number) => string,
): Row => ({
  what,
  measured: show(value),
  floor: '–',
  ratio: '–',
  bar: `≤ ${show(most)}`,
  ok: value <= most,
});

/** How far a cost moves from a small audit (the floor) to a large one, either way. */
export const flatRow = (
  what: string,
  { small, large }: { readonly small: number; readonly large: number },
  share: number,
  show: (value: number) => string,
): Row => ({
  what,
  measured: show(large),
  floor: show(small),
  ratio: `${(large / small).toFixed(2)} ×`,
  bar: `1 ± ${share}`,
  ok: Math.abs(large / small - 1) <= share,
});
