import { Option, type Command } from 'commander';
import type { GivenFlags } from '../configuration.ts';
import type { PlanFlags } from '../commands/plan.ts';
import type { AuditFlag } from '../commands/run.ts';
import type { RunInputFlags } from '../run-inputs.ts';
import {
  consentValue,
  duration,
  durationOrZero,
  patterns,
  packetPrefix,
  positiveInteger,
  provider,
  repeated,
  severityValue,
  uiValue,
  widthValue,
} from '../values.ts';
import { addHostOptions } from './host-options.ts';
import {
  auditOption,
  componentOption,
  depthOption,
  addAfterReviewOptions,
  examples,
  jsonOption,
  lensesOption,
  rootArgument,
  stateDirOption,
  type Describe,
} from './options.ts';
import { sessionConfigOption } from './session-config-option.ts';

/** The commands that work on an audit: `run` and `plan`. */
export const describeRun: Describe = (programme, done) => {
  addHostOptions(sharedRunOptions(programme.command('run').alias('run-to-completion')))
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
    .addOption(
      new Option(
        '--limit <n>',
        'packets that this call may begin, to see what they take',
      ).argParser(positiveInteger),
    )
    .option('--wait', 'sleep through cooldowns instead of ending with exit 3')
    .option('--no-wait', 'do not, whatever the configuration says')
    .addOption(
      new Option(
        '--grace <duration>',
        'how long answers are waited for after a signal (default: 5s)',
      ).argParser(durationOrZero),
    )
    .addOption(
      new Option(
        '--fail-on <severity>',
        'exit 1 from this severity on; none: never (default: high)',
      ).argParser(severityValue),
    )
    .option('--require-complete', 'exit 4 when anything asked for was not looked at')
    .option('--no-require-complete', 'do not, whatever the user configuration says')
    .option('--results <file>', 'hand answers in: a file, used once there is a plan')
    .option('--batch-results <dir>', 'hand all answers of a folder in')
    .option('--updates <file>', 'hand results of runtime validation in')
    .addOption(
      new Option(
        '--external-analyzer-results <file>',
        'hand results of another tool in: SARIF, JSON of common linters, coverage (repeatable)',
      ).argParser((text: string, before: readonly string[] | undefined) =>
        repeated(text, before ?? []),
      ),
    )
    .addHelpText('after', RUN_HELP)
    .action(async (root: string | undefined, flags: GivenFlags & RunInputFlags & AuditFlag) => {
      const { runCommand } = await import('../commands/run.ts');
      done(await runCommand(root, flags));
    });

  const plan = examples(sharedRunOptions(programme.command('plan')), [
    ['plan', 'what a run would review, and in which packets'],
    ['plan --provider command --lenses security --json', 'the same for an agent, as JSON'],
    ['plan --since main', 'what a run would review of what changed since main'],
    ['plan --packet p-31c1', 'one packet of it: tasks, files, tokens and prompt'],
    ['plan --files', 'every file, and why it is looked at or not'],
  ]);
  plan
    .description('derive and show the plan; start nothing')
    .addOption(
      new Option('--packet <id>', 'one packet of the plan, or the beginning of its id').argParser(
        packetPrefix,
      ),
    )
    .addOption(
      new Option('--files', 'every file once: what becomes of it, and why').conflicts('packet'),
    )
    .action(async (root: string | undefined, flags: PlanFlags) => {
      const { planCommand } = await import('../commands/plan.ts');
      done(await planCommand(root, flags));
    });
};

/** What both a run and a plan take. */
const sharedRunOptions = (command: Command): Command =>
  addAfterReviewOptions(command)
    .addArgument(rootArgument())
    .addOption(
      new Option(
        '--provider <name>',
        'who answers: builtin (analyzers, spends nothing), command, handoff, scripted; auto looks around',
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
    .addOption(new Option('--parallel <n>', 'attempts at a time').argParser(widthValue))
    .addOption(lensesOption())
    .addOption(depthOption())
    .addOption(componentOption())
    .addOption(
      new Option(
        '--include <pattern>',
        'only these paths (repeatable; as in .gitignore)',
      ).argParser(patterns),
    )
    .addOption(
      new Option('--exclude <pattern>', 'not these paths (repeatable)').argParser(patterns),
    )
    .addOption(
      new Option(
        '--consent <list>',
        'what may be run: analyzers of this machine (analyzers, or analyzers:ruff,shellcheck; see casefile doctor), and commands of the project in a copy of it (commands, or commands:test)',
      ).argParser(consentValue),
    )
    .option(
      '--since <ref>',
      'only what changed since the merge base with this ref, untracked files too, and what is near it',
    )
    .option('--diff <range>', 'only what changed in a range (A..B, A...B) or since a commit')
    .option('--staged', 'only what is staged')
    .addOption(auditOption('go on with this audit, whatever is asked'))
    .addOption(stateDirOption())
    .option('--take-over', 'pass over an owner that can never come back')
    .option('--fresh', 'begin a new audit that asks everything anew, whatever earlier ones say')
    .option('--again', 'begin a new audit that asks only what no earlier one has answered')
    .addOption(sessionConfigOption())
    .addOption(new Option('--ui <kind>', 'how progress is shown: tty or plain').argParser(uiValue))
    .addOption(jsonOption());

const RUN_HELP = `
Examples:
  casefile run                                   audit this folder with the bundled analyzers
  casefile run --max-runs 1                      one attempt, then stop (exit 3); run again to go on
  casefile run --provider command --command 'node /path/to/reviewer.mjs {prompt} {answer}' --parallel 4
  casefile run --since origin/main               what a branch changed, and what is near that
  casefile run --provider command --command '…'    after a change: asks only about what changed
  casefile run --provider command --command '…' --again     asks anew for what was given up
  casefile run --provider command --command '…' --fresh     asks for everything anew
  casefile run --fail-on critical --json > result.json

A duration is 30m, 90s or 500ms; a bare number is milliseconds.`;
