import { printable, printableLines } from '../std/printable.ts';

/**
 * The only place that prints. Machine output goes to stdout alone; progress, messages and the
 * summary of a run go to stderr. No raw byte of a repository or an agent gets here unwritten.
 */
export const terminal = {
  /** One JSON value on stdout. */
  json: (value: unknown): void => writeOut(`${escaped(JSON.stringify(value, undefined, 2))}\n`),
  /** One JSON value on one line of stdout. */
  jsonLine: (value: unknown): void => writeOut(`${escaped(JSON.stringify(value))}\n`),
  /** What a reading command was asked for, as text on stdout. */
  answer: (text: string): void => writeOut(`${printableLines(text)}\n`),
  /** One line for people on stderr. */
  say: (line: string): void => {
    process.stderr.write(`${printable(line)}\n`);
  },
  /** Several lines for people on stderr. */
  tell: (text: string): void => {
    process.stderr.write(`${printableLines(text)}\n`);
  },
  /** A line that the next one replaces; only for a terminal. */
  live: (line: string): void => {
    process.stderr.write(`\r\u001B[2K${printable(line)}`);
  },
  isLive: (): boolean => process.stderr.isTTY && process.env['TERM'] !== 'dumb',
  /** 0 or nothing on terminals that do not tell. */
  columns: (): number => process.stderr.columns || 80,
};

/** JSON may hold DEL, C1 controls and marks that reorder text as they are; a terminal must not. */
const escaped = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const writeOut = (text: string): void => {
  process.stdout.write(text);
};

/** A reader that goes away (`| head`) ends the command quietly, as it does other tools. */
export const endQuietlyWithoutReader = (): void => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
};
