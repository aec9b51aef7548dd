import type { Measured } from './measure.ts';

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

/** A Markdown table whose columns are as wide as their longest cell. */
export const tableOf = (rows: readonly Row[]): string => {
  const cells = [
    [...HEADS],
    ...rows.map((row) => HEADS.map((head) => (head === 'ok' ? okText(row.ok) : row[head]))),
  ];
  const widths = HEADS.map((_, column) =>
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

export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 100 ? 1 : 0)} ms`;

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
