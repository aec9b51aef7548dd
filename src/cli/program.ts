import { Argument, Command, CommanderError, Option } from 'commander';
import { UsageError } from '../domain/usage-error.ts';
import type { CheckFlags } from './commands/check.ts';
import type { LogFlags } from './commands/log.ts';
import type { MachineFlags, MachineName } from './commands/machine.ts';
import type { RepairFlags } from './commands/repair.ts';
import type { ReplayFlags } from './commands/replay.ts';
import type { ReadFlags } from './commands/status.ts';
import type { RunFlags } from './run-result.ts';
import { EXIT } from './exit.ts';
import { endQuietlyWithoutReader, terminal } from './terminal.ts';
import {
  auditIdValue,
  duration,
  durationOrZero,
  eventNumberValue,
  instantValue,
  lensList,
  patterns,
  positiveInteger,
  provider,
  repeated,
  severityValue,
} from './values.ts';
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
    code = explain(error);
  }
  // Not left to the event loop: after a failure or a signal, attempts may still be watched and a stage
  // may still compute, and nobody waits for them.
  await Promise.all([process.stdout, process.stderr].map(written));
  process.exit(code);
};

/** All that was printed has reached its reader, or the reader is gone. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

/** What went wrong, why, and what to do; a stack trace only for what is our own fault. */
const explain = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.trouble;
  if (error instanceof UsageError) {
    terminal.tell(`casefile: ${error.message}\n  ${error.hint}`);
    return EXIT.trouble;
  }
  if (!(error instanceof Error)) {
    terminal.say(`casefile: ${String(error)}`);
    return EXIT.trouble;
  }
  switch (error.name) {
    case 'OwnedError':
      terminal.say(`casefile: ${error.message}`);
      return EXIT.stopped;
    case 'StaleWriterError':
      terminal.say(
        `casefile: ${error.message} This process stopped writing; the other one goes on.`,
      );
      return EXIT.stopped;
    case 'LogDamagedError':
      terminal.tell(
        `casefile: the log is damaged. ${error.message}\n  Nothing was changed. See: casefile verify. To cut it there, keeping what is cut: casefile repair. To start anew: casefile run --fresh`,
      );
      return EXIT.trouble;
    case 'NewerLogError':
      terminal.tell(
        `casefile: the log was written by a newer casefile. ${error.message}\n  Update casefile to go on with it; nothing was changed.`,
      );
      return EXIT.trouble;
    case 'StoreFailedError':
    case 'BlobDamagedError':
    case 'BlobMissingError':
      terminal.tell(
        `casefile: ${error.message}\n  What was recorded before is safe. Mend the cause (a full or failing disk?) and run again.`,
      );
      return EXIT.trouble;
    default:
      if ('code' in error && typeof error.code === 'string' && 'syscall' in error) {
        terminal.tell(
          `casefile: ${error.message}\n  Mend the cause and run again; nothing is lost.`,
        );
        return EXIT.trouble;
      }
      terminal.tell(
        `casefile: an internal error. The log is as it was; please report this.\n${error.stack ?? error.message}`,
      );
      return EXIT.trouble;
  }
};

const ROOT = new Argument('[root]', 'the folder to audit').default(undefined, 'the current folder');

const stateDirOption = (): Option =>
  new Option('--state-dir <dir>', 'where audits are kept (default: .casefile in the root)');
const jsonOption = (what = 'print one JSON value on stdout'): Option => new Option('--json', what);
const auditOption = (): Option =>
  new Option('--audit <id>', 'an audit other than the newest').argParser(auditIdValue);

const describeProgramme = (done: (code: number) => void): Command => {
  const programme = new Command('casefile')
    .description(
      'Audits a whole code repository with analyzers and coding agents, over an event log that survives anything.',
    )
    .version(TOOL_VERSION, '-V, --version')
    .showSuggestionAfterError()
    .showHelpAfterError('(casefile help COMMAND shows what it takes)')
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .addHelpText('after', EXIT_HELP);

  const sharedRunOptions = (command: Command): Command =>
    command
      .addArgument(ROOT)
      .addOption(
        new Option(
          '--provider <name>',
          'who answers: builtin (analyzers, spends nothing), command, scripted',
        ).argParser(provider),
      )
      .option(
        '--command <words>',
        'the program of provider command, with {prompt} {answer} {packet} {signal} {tree}',
      )
      .addOption(
        new Option(
          '--pass-env <name>',
          'a variable that the program of provider command gets (repeatable; only PATH, HOME and the like go by themselves)',
        ).argParser((text: string, before: readonly string[] | undefined) =>
          repeated(text, before ?? []),
        ),
      )
      .option('--transcript <file>', 'the answers of provider scripted')
      .addOption(new Option('--parallel <n>', 'attempts at a time').argParser(positiveInteger))
      .addOption(new Option('--lenses <list>', 'points of view, by commas').argParser(lensList))
      .addOption(
        new Option(
          '--include <pattern>',
          'only these paths (repeatable; as in .gitignore)',
        ).argParser(patterns),
      )
      .addOption(
        new Option('--exclude <pattern>', 'not these paths (repeatable)').argParser(patterns),
      )
      .addOption(stateDirOption())
      .option('--take-over', 'pass over an owner that can never come back')
      .option('--fresh', 'begin a new audit whatever there is')
      .addOption(new Option('--ui <kind>', 'how progress is shown').choices(['tty', 'plain']))
      .addOption(jsonOption());

  sharedRunOptions(programme.command('run').alias('run-to-completion'))
    .description('start an audit, or go on with it, until it is complete, blocked or stopped')
    .addOption(
      new Option('--timeout <duration>', 'longest time of an attempt (default: 30m)').argParser(
        duration,
      ),
    )
    .addOption(
      new Option(
        '--idle-timeout <duration>',
        'longest silence of an attempt (default: 10m)',
      ).argParser(duration),
    )
    .addOption(
      new Option('--max-attempts <n>', 'counted attempts of a packet (default: 3)').argParser(
        positiveInteger,
      ),
    )
    .addOption(
      new Option('--max-runs <n>', 'attempts that this call may start').argParser(positiveInteger),
    )
    .option('--wait', 'sleep through cooldowns instead of ending with exit 3')
    .addOption(
      new Option('--grace <duration>', 'how long answers are waited for after a signal')
        .default(5000, '5s')
        .argParser(durationOrZero),
    )
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit 1 from this severity on; none: never (default: high)',
      ).argParser(severityValue),
    )
    .option('--require-complete', 'exit 4 when anything asked for was not looked at')
    .addHelpText('after', RUN_HELP)
    .action(async (root: string | undefined, flags: RunFlags) => {
      const { runCommand } = await import('./commands/run.ts');
      done(await runCommand(root, flags));
    });

  sharedRunOptions(programme.command('plan'))
    .description('derive and show the plan; start nothing')
    .action(async (root: string | undefined, flags: Omit<RunFlags, 'grace'>) => {
      const { planCommand } = await import('./commands/plan.ts');
      done(await planCommand(root, { grace: 0, ...flags }));
    });

  const reader = (name: string, description: string, json?: string): Command =>
    programme
      .command(name)
      .description(description)
      .addArgument(ROOT)
      .addOption(auditOption())
      .addOption(stateDirOption())
      .addOption(jsonOption(json));

  reader('status', 'where an audit stands').action(
    async (root: string | undefined, flags: ReadFlags) => {
      const { statusCommand } = await import('./commands/status.ts');
      done(await statusCommand(root, flags));
    },
  );

  reader('log', 'what happened, event by event', 'print one JSON value a line, a commit each')
    .addOption(
      new Option('--type <event>', 'only events of this type (repeatable)')
        .default([], 'all')
        .argParser(repeated),
    )
    .addOption(new Option('--from <n>', 'from this event number on').argParser(eventNumberValue))
    .addOption(new Option('--to <n>', 'up to this event number').argParser(eventNumberValue))
    .option('--follow', 'go on showing what is added, until the audit is complete')
    .action(async (root: string | undefined, flags: LogFlags) => {
      const { logCommand } = await import('./commands/log.ts');
      done(await logCommand(root, flags));
    });

  reader('replay', 'fold the log to any point and show the state there')
    .addOption(new Option('--to <n>', 'up to this event number').argParser(eventNumberValue))
    .addOption(
      new Option('--at <instant>', 'up to this instant (ISO 8601)').argParser(instantValue),
    )
    .option('--verify', 'compare every recorded transition with the chart; exit 1 when one differs')
    .action(async (root: string | undefined, flags: ReplayFlags) => {
      const { replayCommand } = await import('./commands/replay.ts');
      done(await replayCommand(root, flags));
    });

  reader('verify', 'check every byte, the chain and the blobs; exit 1 on damage').action(
    async (root: string | undefined, flags: ReadFlags) => {
      const { verifyCommand } = await import('./commands/verify.ts');
      done(await verifyCommand(root, flags));
    },
  );

  reader('repair', 'cut a damaged log at its first damage, keeping what is cut')
    .option('--take-over', 'pass over an owner that can never come back')
    .action(async (root: string | undefined, flags: RepairFlags) => {
      const { repairCommand } = await import('./commands/repair.ts');
      done(await repairCommand(root, flags));
    });

  programme
    .command('machine')
    .description('print a state chart for other tools')
    .addArgument(
      new Argument('[name]', 'which chart')
        .choices(['audit', 'attempt', 'account'])
        .default('audit'),
    )
    .addOption(
      new Option('--format <format>', 'as what')
        .choices(['mermaid', 'dot', 'json'])
        .default('mermaid'),
    )
    .action(async (name: MachineName, flags: MachineFlags) => {
      const { machineCommand } = await import('./commands/machine.ts');
      done(machineCommand(name, flags));
    });

  programme
    .command('check')
    .description('tell whether an answer would be accepted; exit 1 when not')
    .argument('<answer>', 'the answer file')
    .requiredOption('--packet <file>', 'the packet file that came with the prompt')
    .option('--tree <dir>', 'where the files are, to look for the quotes (default: CASEFILE_TREE)')
    .addOption(jsonOption())
    .action(async (answer: string, flags: CheckFlags) => {
      const { checkCommand } = await import('./commands/check.ts');
      done(await checkCommand(answer, flags));
    });

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

const RUN_HELP = `
Examples:
  casefile run                                   audit this folder with the bundled analyzers
  casefile run --max-runs 1                      one attempt, then stop (exit 3); run again to go on
  casefile run --provider command --command 'node /path/to/reviewer.mjs {prompt} {answer}' --parallel 4
  casefile run --fail-on critical --json > result.json

A duration is 30m, 90s or 500ms; a bare number is milliseconds.`;
