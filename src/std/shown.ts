import { printable } from './printable.ts';

/** A value of others inside a sentence: its JSON on one printable line, cut; "nothing" for undefined. */
export const shown = (value: unknown, lengthMax = 60): string => {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') return printable(JSON.stringify(value), lengthMax);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
