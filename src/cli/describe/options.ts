import { Argument, Option, type Command } from 'commander';
import { auditIdValue } from '../values.ts';

/** Describes some commands to the programme; `done` takes the exit code of the one that ran. */
export type Describe = (programme: Command, done: (code: number) => void) => void;

export const rootArgument = (): Argument =>
  new Argument('[root]', 'the folder to audit').default(undefined, 'the current folder');

export const stateDirOption = (): Option =>
  new Option('--state-dir <dir>', 'where audits are kept (default: .casefile in the root)');
export const jsonOption = (what = 'print one JSON value on stdout'): Option =>
  new Option('--json', what);
export const auditOption = (): Option =>
  new Option('--audit <id>', 'an audit other than the newest').argParser(auditIdValue);

/** A command that reads one audit. */
export const reader = (
  programme: Command,
  name: string,
  description: string,
  json?: string,
): Command =>
  programme
    .command(name)
    .description(description)
    .addArgument(rootArgument())
    .addOption(auditOption())
    .addOption(stateDirOption())
    .addOption(jsonOption(json));
