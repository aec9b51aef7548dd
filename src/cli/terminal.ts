import { printable, printableLines } from '../std/printable.ts';

/**
 * The only place that prints. Machine output goes to stdout alone; progress, messages and the
 * summary of a run go to stderr. No raw byte of a repository or an agent gets here unwritten.
 */
export const terminal = {
  /** One JSON value on stdout. */
  json: (value: unknown): void => writeOut(`${JSON.stringify(value, undefined, 2)}\n`),
  /** One JSON value on one line of stdout. */
  jsonLine: (value: unknown): void => writeOut(`${JSON.stringify(value)}\n`),
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
