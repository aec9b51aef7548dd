import { Command } from 'commander';
import { describeDoctor } from './describe/describe-doctor.ts';
import { describeHosts } from './describe/describe-hosts.ts';
import { describeReading } from './describe/describe-reading.ts';
import { describeRun } from './describe/describe-run.ts';
import { describeUpkeep } from './describe/describe-upkeep.ts';
import { EXIT } from './exit.ts';
import { explainError } from './explain-error.ts';
import { printableLines } from '../std/printable.ts';
import { endQuietlyWithoutReader } from './terminal.ts';
import { TOOL_VERSION } from './version.ts';

/** Reads the arguments, runs one command, and sets the exit code. Errors end here, as sentences. */
export const runProgramme = async (args: readonly string[]): Promise<void> => {
  endQuietlyWithoutReader();
  let code: number = EXIT.fine;
  const programme = describeProgramme((exitCode) => {
    code = exitCode;
  });
  try {
    await programme.parseAsync([...args], { from: 'user' });
  } catch (error) {
    code = explainError(error);
  }
  // Not left to the event loop: after a failure or a signal, attempts may still be watched and a stage
  // may still compute, and nobody waits for them.
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(code);
};

/** All that was printed has reached its reader, or the reader is gone. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

/** All commands with their flags. `done` takes the exit code of the one that ran. */
export const describeProgramme = (done: (code: number) => void): Command => {
  const programme = new Command('casefile')
    .description(
      'Audits a whole code repository with analyzers and coding agents, over an event log that survives anything.',
    )
    .version(TOOL_VERSION, '-V, --version')
    .showSuggestionAfterError()
    .showHelpAfterError('(casefile help COMMAND shows what it takes)')
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(printableLines(text)) })
    .addHelpText('after', EXIT_HELP);

  for (const describe of [
    describeRun,
    describeReading,
    describeHosts,
    describeUpkeep,
    describeDoctor,
  ]) {
    describe(programme, done);
  }
  return programme;
};

const EXIT_HELP = `
Exit codes (the first that holds):
  130/143  ended by a signal
  2        usage, damage or internal error
  3        stopped and can go on: limit, blocker, --max-runs, owned by another process
  1        findings over the gate (verify, replay --verify and check: something is wrong)
  4        complete, but in part; or --require-complete and something was not looked at
  0        complete and under the gate`;
