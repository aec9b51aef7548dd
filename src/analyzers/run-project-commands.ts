import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { CommandKind } from '../domain/consent.ts';
import type { RuntimeCheck } from '../domain/runtime-check.ts';
import { textOf } from '../pipeline/content.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import { commandVerdict, type CommandEnd } from '../pipeline/runtime/command-verdict.ts';
import { namedPaths } from '../pipeline/runtime/named-paths.ts';
import { projectCommands, type ProjectCommand } from '../pipeline/runtime/project-commands.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import type { ProgramReport, RunProgram } from '../platform/subprocess.ts';
import { makeWorkingCopy } from '../platform/working-copy.ts';
import { printable } from '../std/printable.ts';

const TIMEOUT_MS = 600_000;
const OUTPUT_BYTES_MAX = 1 << 24;
const LINES_KEPT = 20;
const LINE_LENGTH = 300;

/**
 * Runs the commands of the project that the operator has consented to, each once and one after the other, in a
 * copy of its own that may be written to, under a time limit and an output cap, and with a built environment.
 * Each has its own verdict.
 *
 * @param given.scratch absolute folder outside of the audited tree.
 */
export const runProjectCommands = async (given: {
  readonly kinds: readonly CommandKind[];
  readonly tree: FrozenTree;
  readonly inventory: Inventory;
  /** Absolute; the audited repository. */
  readonly root: string;
  readonly scratch: string;
  readonly runProgram: RunProgram;
  readonly timeoutMs?: number;
  readonly outputBytesMax?: number;
}): Promise<readonly RuntimeCheck[]> => {
  const { kinds, tree, inventory, root } = given;
  const files = inventory.files.map(({ path }) => path);
  const read = (path: string): Promise<string | undefined> =>
    tree.read(path).then(textOf, () => undefined);
  const commands = (await projectCommands(files, read)).filter(({ kind }) => kinds.includes(kind));
  if (commands.length === 0) return [];
  if (tree.folder === undefined) throw new Error('the copy has no files on a disk');
  const copy = await makeWorkingCopy({
    root,
    frozen: tree.folder,
    base: given.scratch,
    files: inventory.files,
  });
  const checks: RuntimeCheck[] = [];
  for (const one of commands) {
    const started = performance.now();
    const end = await endOf(one, copy, given);
    const output = end.kind === 'done' ? end.output : '';
    const check = commandVerdict(end);
    checks.push({
      id: one.id,
      command: `${one.command.join(' ')}${one.folder === '' ? '' : ` (in ${one.folder})`}`,
      ...check,
      paths: check.verdict === 'failed' ? [...namedPaths(output, files)] : [],
      output: check.verdict === 'passed' ? [] : lastLines(output),
      durationMs: Math.round(performance.now() - started),
    });
  }
  return checks;
};

const endOf = async (
  { command, folder, needs }: ProjectCommand,
  copy: string,
  given: Parameters<typeof runProjectCommands>[0],
): Promise<CommandEnd> => {
  const cwd = join(copy, folder);
  if (needs !== undefined && !existsSync(join(cwd, needs)) && !existsSync(join(copy, needs))) {
    return { kind: 'missing', why: `its dependencies are not installed (no ${needs})` };
  }
  const [program, ...args] = command;
  const timeoutMs = given.timeoutMs ?? TIMEOUT_MS;
  const report = await given.runProgram({
    program,
    args,
    cwd,
    environment: { CI: 'true', NO_COLOR: '1' },
    timeoutMs,
    outputBytesMax: given.outputBytesMax ?? OUTPUT_BYTES_MAX,
  });
  return asEnd(report, timeoutMs);
};

const asEnd = (report: ProgramReport, timeoutMs: number): CommandEnd => {
  switch (report.kind) {
    case 'missing':
      return { kind: 'missing', why: `it could not be started (${report.message})` };
    case 'timed-out':
      return { kind: 'timed-out', afterMs: timeoutMs };
    case 'ended':
      return { kind: 'ended', message: report.message };
    case 'done': {
      const texts = [report.stdout, report.stderr].map((bytes) => new TextDecoder().decode(bytes));
      return {
        kind: 'done',
        exitCode: report.exitCode,
        output: stripVTControlCharacters(texts.join('\n')),
      };
    }
  }
};

const lastLines = (output: string): string[] =>
  output
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(-LINES_KEPT)
    .map((line) => printable(line, LINE_LENGTH));
