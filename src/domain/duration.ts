const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
type Unit = keyof typeof UNIT_MS;

/** The longest time that anything may be given: 7 days. */
export const DURATION_MS_MAX = 7 * 24 * UNIT_MS.h;

/** A number with `ms`, `s`, `m` or `h`, or a bare number of milliseconds. */
export const DURATION_PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/;

/**
 * Milliseconds of a duration (`90s`, `30m`, `1h`, `500ms`, `1500`), rounded.
 *
 * @returns undefined when it is none, shorter than a millisecond (but 0 itself) or over 7 days.
 */
export const durationMs = (text: string): number | undefined => {
  const match = DURATION_PATTERN.exec(text);
  if (match === null) return undefined;
  const ms = Number(match[1]) * UNIT_MS[(match[2] ?? 'ms') as Unit];
  return (ms > 0 && ms < 1) || ms > DURATION_MS_MAX ? undefined : Math.round(ms);
};

/** The shortest text that `durationMs` reads as the same: `90000` is `90s`. */
export const durationText = (ms: number): string => {
  const unit = (['h', 'm', 's'] as const).find((one) => ms > 0 && ms % UNIT_MS[one] === 0);
  return unit === undefined ? `${ms}ms` : `${ms / UNIT_MS[unit]}${unit}`;
};
