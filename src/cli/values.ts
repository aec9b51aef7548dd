import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { CONSENT_WORDS, consentWords } from '../domain/consent.ts';
import { depth, DEPTHS, type Depth } from '../domain/depth.ts';
import { PARALLEL_MAX, PROVIDER_WORDS, providerWord, type ProviderWord } from '../domain/config.ts';
import { durationMs } from '../domain/duration.ts';
import {
  gateSeverity,
  isBundledLens,
  lens,
  LENSES,
  SEVERITIES,
  type Lens,
} from '../domain/vocabulary.ts';
import { printable } from '../std/printable.ts';

/** Readers of flags: a bad value is an error that says what would be good. */

export const positiveInteger = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('It must be a whole number of 1 or more.');
  }
  return value;
};

/** Attempts at a time. */
export const widthValue = (text: string): number => {
  const value = positiveInteger(text);
  if (value > PARALLEL_MAX) throw new InvalidArgumentError(`It must be at most ${PARALLEL_MAX}.`);
  return value;
};

export const eventNumberValue = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be an event number, 0 or more.');
  return Number(text);
};

/** A duration in ms: `90s`, `30m`, `1h`, `500ms`; a bare number is milliseconds. */
export const duration = (text: string): number => {
  const ms = durationMs(text);
  if (ms === undefined || ms === 0) {
    throw new InvalidArgumentError('It must be a duration up to 7 days: 90s, 30m, 1h or 500ms.');
  }
  return ms;
};

/** Like `duration`, and 0 too. */
export const durationOrZero = (text: string): number =>
  durationMs(text) === 0 ? 0 : duration(text);

/** The literal words, as the predecessor's boolean flags have them. */
export const trueOrFalse = (text: string): boolean => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('It must be true or false.');
};

/** What a host calls itself: it stands in files and in what is printed. */
export const hostNameValue = (text: string): string => {
  if (text.trim() === '' || text.length > 100 || printable(text) !== text) {
    throw new InvalidArgumentError("A host's name is 1 to 100 printable characters.");
  }
  return text;
};

/** How progress is shown; the predecessor's words mean the same. */
export const uiValue = (text: string): 'tty' | 'plain' => {
  if (text === 'tty' || text === 'visible') return 'tty';
  if (text === 'plain' || text === 'headless') return 'plain';
  throw new InvalidArgumentError('Allowed choices are tty, plain.');
};

export const depthValue = (text: string): Depth => {
  const parsed = depth.safeParse(text);
  if (!parsed.success) {
    throw new InvalidArgumentError(`Allowed choices are ${DEPTHS.join(', ')}.`);
  }
  return parsed.data;
};

/** A share of the plan: a number from 0 to 1, or so many per cent. */
export const shareValue = (text: string): number => {
  const [, digits, percent] = /^(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})(%?)$/.exec(text) ?? [];
  const share = Number(digits) / (percent === '%' ? 100 : 1);
  if (digits === undefined || share > 1) {
    throw new InvalidArgumentError('A share is a number from 0 to 1, as 0.25, or 25%.');
  }
  return share;
};

/** A lens by its name, or the file in which the operator wrote one down. */
export type LensWord = { readonly lens: Lens; readonly file?: string };

export const lensList = (text: string): readonly LensWord[] => {
  const words = text.split(',').map((word) => lensWord(word.trim()));
  const twice = words.find(({ lens: name }, index) =>
    words.slice(0, index).some((one) => one.lens === name),
  );
  if (twice !== undefined)
    throw new InvalidArgumentError(`The lens ${twice.lens} stands there twice.`);
  return words;
};

const lensWord = (word: string): LensWord => {
  const isFile = word.includes('/') || word.endsWith('.md');
  const name = isFile ? basename(word, '.md') : word;
  const parsed = lens.safeParse(name);
  if (!parsed.success) {
    throw new InvalidArgumentError(
      isFile
        ? `A lens is named after its file: 2 to 40 lower-case letters, digits, _ and -, the first a letter, and then .md; "${printable(name)}" is no such name.`
        : `Lenses are: ${LENSES.join(', ')}. One of your own is a file: --lenses ./payments.md`,
    );
  }
  if (!isFile) return { lens: parsed.data };
  if (isBundledLens(parsed.data)) {
    throw new InvalidArgumentError(
      `${parsed.data} is a lens of casefile; name the file otherwise.`,
    );
  }
  return { lens: parsed.data, file: word };
};

/** A provider by its own name, by that of the predecessor, or `auto`. */
export const provider = (text: string): ProviderWord => {
  const parsed = providerWord.safeParse(text);
  if (!parsed.success) {
    throw new InvalidArgumentError(`Providers are: ${PROVIDER_WORDS.join(', ')}.`);
  }
  return parsed.data;
};

export const severityValue = (text: string) => {
  const parsed = gateSeverity.safeParse(text);
  if (!parsed.success) {
    throw new InvalidArgumentError(`It must be one of: ${SEVERITIES.join(', ')}, none.`);
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

/** Words of a consent; a list may be given in several flags. */
export const consentValue = (
  text: string,
  before: readonly string[] | undefined,
): readonly string[] => {
  const words = consentWords(text);
  if (words === undefined) {
    throw new InvalidArgumentError(`Consents are: ${CONSENT_WORDS}.`);
  }
  return [...(before ?? []), ...words];
};

/** The beginning of a packet's id. */
export const packetPrefix = (text: string): string => {
  if (/^p-[0-9a-f]{0,16}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'A packet id looks like p-98d99545236ab26e, and its beginning is enough. All ids: casefile plan --json',
  );
};

/** Collects patterns; an empty one would silently match nothing. */
export const patterns = (text: string, before: readonly string[] = []): readonly string[] => {
  if (text.trim() === '') throw new InvalidArgumentError('A pattern cannot be empty.');
  return [...before, text];
};

/** Collects names of components. */
export const components = (text: string, before: readonly string[] = []): readonly string[] => {
  if (text.trim() === '') throw new InvalidArgumentError('The name of a component is not empty.');
  return [...before, text];
};

/** Collects the values of a flag that may be repeated. */
export const repeated = (text: string, before: readonly string[]): readonly string[] => [
  ...before,
  text,
];
