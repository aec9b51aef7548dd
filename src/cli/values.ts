import { InvalidArgumentError } from 'commander';
import { auditId } from '../domain/ids.ts';
import { gateSeverity, lens, LENSES, providerId, SEVERITIES } from '../domain/vocabulary.ts';

/** Readers of flags: a bad value is an error that says what would be good. */

export const positiveInteger = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('It must be a whole number of 1 or more.');
  }
  return value;
};

export const eventNumberValue = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be an event number, 0 or more.');
  return Number(text);
};

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A duration in ms: `90s`, `30m`, `1h`, `500ms`; a bare number is milliseconds. */
export const duration = (text: string): number => {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  const value = match === null ? 0 : Number(match[1]) * UNIT_MS[(match[2] ?? 'ms') as 's'];
  if (value < 1 || value > 7 * 24 * UNIT_MS.h) {
    throw new InvalidArgumentError('It must be a duration up to 7 days: 90s, 30m, 1h or 500ms.');
  }
  return Math.round(value);
};

/** Like `duration`, and 0 too. */
export const durationOrZero = (text: string): number =>
  /^0(ms|s|m|h)?$/.test(text) ? 0 : duration(text);

export const lensList = (text: string): readonly (typeof LENSES)[number][] => {
  const names = text.split(',').map((name) => name.trim());
  return names.map((name) => {
    const parsed = lens.safeParse(name);
    if (!parsed.success) throw new InvalidArgumentError(`Lenses are: ${LENSES.join(', ')}.`);
    return parsed.data;
  });
};

export const provider = (text: string) => {
  const parsed = providerId.safeParse(text);
  if (!parsed.success || !PROVIDERS.includes(text)) {
    throw new InvalidArgumentError(`Providers are: ${PROVIDERS.join(', ')}.`);
  }
  return parsed.data;
};
const PROVIDERS: readonly string[] = ['builtin', 'command', 'scripted'];

export const severityValue = (text: string) => {
  const parsed = gateSeverity.safeParse(text);
  if (!parsed.success) {
    throw new InvalidArgumentError(`It must be one of: ${SEVERITIES.join(', ')}, none.`);
  }
  return parsed.data;
};

export const auditIdValue = (text: string) => {
  const parsed = auditId.safeParse(text);
  if (!parsed.success) {
    throw new InvalidArgumentError('An audit id looks like 20261130T101400123Z-1f3c9a.');
  }
  return parsed.data;
};

/** An instant: ISO 8601 with a zone. */
export const instantValue = (text: string): number => {
  const value = /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:?\d{2})$/.test(text)
    ? Date.parse(text)
    : NaN;
  if (Number.isNaN(value)) {
    throw new InvalidArgumentError('It must be an instant with a zone: 2026-11-30T10:14:00Z.');
  }
  return value;
};

/** Collects patterns; an empty one would silently match nothing. */
export const patterns = (text: string, before: readonly string[] = []): readonly string[] => {
  if (text.trim() === '') throw new InvalidArgumentError('A pattern cannot be empty.');
  return [...before, text];
};

/** Collects the values of a flag that may be repeated. */
export const repeated = (text: string, before: readonly string[]): readonly string[] => [
  ...before,
  text,
];
