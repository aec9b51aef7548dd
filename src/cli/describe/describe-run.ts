import { Option, type Command } from 'commander';
import type { RunFlags } from '../run-result.ts';
import {
  duration,
  durationOrZero,
  lensList,
  patterns,
  positiveInteger,
  provider,
  repeated,
  severityValue,
} from '../values.ts';
import { jsonOption, rootArgument, stateDirOption, type Describe } from './options.ts';

/** The commands that work on an audit: `run` and `plan`. */
export const describeRun: Describe = (programme, done) => {
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
      const { runCommand } = await import('../commands/run.ts');
      done(await runCommand(root, flags));
    });

  sharedRunOptions(programme.command('plan'))
    .description('derive and show the plan; start nothing')
    .action(async (root: string | undefined, flags: Omit<RunFlags, 'grace'>) => {
      const { planCommand } = await import('../commands/plan.ts');
      done(await planCommand(root, { grace: 0, ...flags }));
    });
};

/** What both a run and a plan take. */
const sharedRunOptions = (command: Command): Command =>
  command
    .addArgument(rootArgument())
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

const RUN_HELP = `
Examples:
  casefile run                                   audit this folder with the bundled analyzers
  casefile run --max-runs 1                      one attempt, then stop (exit 3); run again to go on
  casefile run --provider command --command 'node /path/to/reviewer.mjs {prompt} {answer}' --parallel 4
  casefile run --fail-on critical --json > result.json

A duration is 30m, 90s or 500ms; a bare number is milliseconds.`;
