import type { Lens } from '../domain/vocabulary.ts';
import { counted } from '../std/counted.ts';
import { inertCode } from './inert-markdown.ts';

/** Share of a whole, never rounded to "all" or "nothing" when it is neither. */
export const share = (part: number, whole: number): string => {
  if (part === 0 || whole === 0) return '0 %';
  if (part === whole) return '100 %';
  return `${Math.min(99, Math.max(1, Math.round((100 * part) / whole)))} %`;
};

/** A text as a sentence: with a capital and an end. */
export const sentence = (text: string): string => {
  const trimmed = text.trim();
  return capital(/[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`);
};

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const lensWords = (lenses: readonly Lens[]): string =>
  lenses.join(', ').replaceAll('_', '\\_');

/** "1 lens", "2 lenses". */
export const lensCount = (count: number): string => (count === 1 ? '1 lens' : `${count} lenses`);

/** How many, and the first few by name. */
export const filesOf = (files: readonly string[]): string => {
  const names = files.slice(0, FILES_MAX).map((file) => inertCode(file, 120));
  const left = files.length - names.length;
  return `${counted(files.length, 'file')}: ${names.join(', ')}${left === 0 ? '' : ', …'}`;
};

const FILES_MAX = 5;
