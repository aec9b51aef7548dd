import { resolve } from 'node:path';
import { UsageError } from '../domain/usage-error.ts';

/** What may stand in an argument of the `command` contract, and the variable of the same content. */
export const PLACEHOLDERS = {
  prompt: 'CASEFILE_PROMPT',
  answer: 'CASEFILE_ANSWER',
  packet: 'CASEFILE_PACKET',
  signal: 'CASEFILE_SIGNAL',
  tree: 'CASEFILE_TREE',
} as const;
export type Placeholder = keyof typeof PLACEHOLDERS;

export type CommandTemplate = {
  readonly uses: ReadonlySet<Placeholder>;
  /** The command with everything filled in; what is filled in is not looked at again. */
  readonly fill: (values: Readonly<Record<Placeholder, string>>) => readonly [string, ...string[]];
};

/**
 * Reads a worker's command. Its program is found on PATH, or by its path from the folder that
 * casefile was started in; it cannot be a placeholder, since a program of the audited tree must
 * never run.
 *
 * @throws {UsageError} for an empty command and for a placeholder that nobody knows.
 */
export const parseCommandTemplate = (command: readonly string[]): CommandTemplate => {
  const [program, ...args] = command;
  if (program === undefined || program.trim() === '') {
    throw new UsageError(
      'The worker command is empty.',
      `Give a program and its arguments, for example: my-worker --in {prompt} --out {answer}`,
    );
  }
  if (PLACEHOLDER.test(program)) {
    throw new UsageError(
      `The program of the worker command is ${JSON.stringify(program)}, which holds a placeholder.`,
      'Name a program; placeholders stand in its arguments.',
    );
  }
  const uses = new Set(args.flatMap(placeholdersIn));
  const found = program.includes('/') ? resolve(program) : program;
  return {
    uses,
    fill: (values) => [
      found,
      ...args.map((arg) =>
        arg.replaceAll(EVERY_PLACEHOLDER, (text, name: string) =>
          isPlaceholder(name) ? values[name] : text,
        ),
      ),
    ],
  };
};

/** A word in braces. Other braces (JSON, a shell's or awk's blocks with blanks) are left alone. */
const PLACEHOLDER = /\{([A-Za-z][\w-]*)\}/;
const EVERY_PLACEHOLDER = new RegExp(PLACEHOLDER, 'g');

const placeholdersIn = (arg: string): readonly Placeholder[] =>
  [...arg.matchAll(EVERY_PLACEHOLDER)].map(([text, name]) => {
    if (name !== undefined && isPlaceholder(name)) return name;
    const known = Object.keys(PLACEHOLDERS).map((each) => `{${each}}`);
    throw new UsageError(
      `The worker command has an unknown placeholder ${text}.`,
      `Known ones are ${known.join(' ')}. Other words in braces belong into a script of yours.`,
    );
  });

const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(PLACEHOLDERS, name);
