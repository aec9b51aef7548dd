import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { components, depthValue, lensList, shareValue } from '../values.ts';

/** Describes some commands to the programme; `done` takes the exit code of the one that ran. */
export type Describe = (programme: Command, done: (code: number) => void) => void;

export const rootArgument = (): Argument =>
  new Argument('[root]', 'the folder to audit').default(
    undefined,
    'the nearest folder above with a .casefile, else the top of the git work tree, else this folder',
  );

export const stateDirOption = (): Option =>
  new Option('--state-dir <dir>', 'where audits are kept (default: .casefile in the root)');
export const jsonOption = (what = 'print one JSON value on stdout'): Option =>
  new Option('--json', what);
export const auditOption = (what = 'an audit other than the newest'): Option =>
  new Option('--audit <id>', `${what}; the beginning of its id is enough`).argParser(auditPrefix);
export const lensesOption = (): Option =>
  new Option(
    '--lenses <list>',
    'points of view, by commas; one of your own as a file: security,./payments.md',
  ).argParser(lensList);
export const depthOption = (): Option =>
  new Option(
    '--depth <kind>',
    'how much an agent is asked: quick, standard or deep (default: standard)',
  ).argParser(depthValue);
/** What is done once the review is. */
export const addAfterReviewOptions = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--deepening <share>',
        'what verifying findings and second looks may cost, as a share of the plan (default: 0.25; at depth deep 0.5, at quick 0)',
      ).argParser(shareValue),
    )
    .option('--narrative', 'have an agent write what the findings mean together (the default)')
    .option('--no-narrative', 'do without');
export const componentOption = (): Option =>
  new Option(
    '--component <name>',
    'only this part of a monorepo, by folder or package name (repeatable; see casefile plan)',
  ).argParser(components);
export const takeOverOption = (): Option =>
  new Option('--take-over', 'pass over an owner that can never come back');

/** The beginning of an audit's id, which looks like `20261130T101400123Z-1f3c9a`. */
const auditPrefix = (text: string): string => {
  if (!/^\d{1,8}$|^\d{8}T\d{0,9}$|^\d{8}T\d{9}Z(-[0-9a-f]{0,6})?$/.test(text)) {
    throw new InvalidArgumentError(
      'An audit id looks like 20261130T101400123Z-1f3c9a, and its beginning is enough. All ids: casefile audits',
    );
  }
  return text;
};

/** A command about the audits of a root. */
export const rooted = (
  programme: Command,
  name: string,
  description: string,
  json?: string,
): Command =>
  programme
    .command(name)
    .description(description)
    .addArgument(rootArgument())
    .addOption(stateDirOption())
    .addOption(jsonOption(json));

/** A command that reads one audit. */
export const reader = (
  programme: Command,
  name: string,
  description: string,
  json?: string,
): Command => rooted(programme, name, description, json).addOption(auditOption());

/**
 * Puts examples below a command's help: what is typed, and what it does.
 *
 * @param lines each the words after `casefile`, and what they do.
 */
export const examples = (
  command: Command,
  lines: readonly (readonly [typed: string, does: string])[],
): Command => {
  const widest = Math.max(...lines.map(([typed]) => typed.length));
  const shown = lines.map(([typed, does]) => `  casefile ${typed.padEnd(widest)}   ${does}`);
  return command.addHelpText('after', ['', 'Examples:', ...shown].join('\n'));
};
