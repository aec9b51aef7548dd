import { Argument, Option, type Command } from 'commander';
import type { CheckFlags } from '../commands/check.ts';
import type { NextFlags } from '../commands/next.ts';
import { hostNameValue, patterns } from '../values.ts';
import type { VisitFlags } from '../visit-audit.ts';
import { addHostOptions } from './host-options.ts';
import {
  auditOption,
  componentOption,
  addAfterReviewOptions,
  depthOption,
  jsonOption,
  lensesOption,
  rootArgument,
  stateDirOption,
  type Describe,
} from './options.ts';
import { sessionConfigOption } from './session-config-option.ts';

/** The commands for whoever does the work of an audit: hosts, workers, people. */
export const describeHosts: Describe = (programme, done) => {
  addAfterReviewOptions(addHostOptions(programme.command('next').alias('next-step')))
    .description('one bounded step for a host or a person: what to review, or what is waited for')
    .addArgument(rootArgument())
    .addOption(
      new Option(
        '--host-name <name>',
        'tells hosts apart that work on one audit at once',
      ).argParser(hostNameValue),
    )
    .addOption(lensesOption())
    .addOption(depthOption())
    .addOption(componentOption())
    .addOption(
      new Option('--include <pattern>', 'only these paths (repeatable)').argParser(patterns),
    )
    .addOption(
      new Option('--exclude <pattern>', 'not these paths (repeatable)').argParser(patterns),
    )
    .addOption(auditOption())
    .addOption(stateDirOption())
    .addOption(sessionConfigOption())
    .option('--take-over', 'pass over an owner that can never come back')
    .option('--fresh', 'begin a new audit that asks everything anew, whatever earlier ones say')
    .option('--again', 'begin a new audit that asks only what no earlier one has answered')
    .addOption(jsonOption())
    .addHelpText('after', NEXT_HELP)
    .action(async (root: string | undefined, flags: NextFlags) => {
      const { nextCommand } = await import('../commands/next.ts');
      done(await nextCommand(root, flags));
    });

  visiting(programme.command('ingest').aliases(['ingest-results', 'merge-and-ingest']))
    .description('hand answers in: files, folders, or what lies in the assigned places')
    .addArgument(new Argument('[files...]', 'answers, arrays of results, or folders of them'))
    .addHelpText('after', INGEST_HELP)
    .action(async (files: readonly string[], flags: VisitFlags) => {
      const { ingestCommand } = await import('../commands/ingest.ts');
      done(await ingestCommand(files, flags));
    });

  visiting(
    programme.command('import').aliases(['import-external-analyzer', 'update-runtime-validation']),
  )
    .description('hand in results of analyzers or of runtime validation that others ran')
    .addArgument(new Argument('<files...>', 'files in the normalised form'))
    .addHelpText('after', IMPORT_HELP)
    .action(async (files: readonly string[], flags: VisitFlags) => {
      const { importCommand } = await import('../commands/import.ts');
      done(await importCommand(files, flags));
    });

  visiting(programme.command('answer'))
    .description("answer an operator's question")
    .addArgument(new Argument('<question>', 'its id, as status and next tell it'))
    .addArgument(new Argument('<value>', 'the answer'))
    .addHelpText('after', ANSWER_HELP)
    .action(async (question: string, value: string, flags: VisitFlags) => {
      const { answerCommand } = await import('../commands/answer.ts');
      done(await answerCommand(question, value, flags));
    });

  programme
    .command('check')
    .alias('validate-result')
    .description('tell whether an answer would be accepted; exit 1 when not')
    .argument('<answer>', 'the answer file')
    .requiredOption('--packet <file>', 'the packet file that came with the prompt')
    .option('--tree <dir>', 'where the files are, to look for the quotes (default: CASEFILE_TREE)')
    .addOption(jsonOption())
    .addHelpText('after', CHECK_HELP)
    .action(async (answer: string, flags: CheckFlags) => {
      const { checkCommand } = await import('../commands/check.ts');
      done(await checkCommand(answer, flags));
    });
};

/** What every command takes that says something to an audit which is there. */
const visiting = (command: Command): Command =>
  command
    .option('--root <dir>', 'the audited folder (default: found from the current folder)')
    .addOption(auditOption())
    .addOption(stateDirOption())
    .option('--take-over', 'pass over an owner that can never come back')
    .addOption(jsonOption());

const NEXT_HELP = `
Examples:
  casefile next --json                                   the step as one JSON object
  casefile next --host-name a --host-can-dispatch-subagents true --host-max-active-subagents 4 --json
  casefile next --lenses security --include src/

Asked again before anything was handed in, it tells the same step. Exit 0: there is something to do, or
the audit is complete; 3: somebody or something else is waited for.`;

const INGEST_HELP = `
Examples:
  casefile ingest                                        what lies in the assigned places
  casefile ingest answer.json more-answers/
  casefile ingest results.json --root ../project --json

Each file is recorded as it is and then judged, part by part. The same bytes again change nothing.
Exit 0: everything was taken; 1: something was refused, which is told with its code.`;

const IMPORT_HELP = `
Examples:
  casefile import eslint-normalised.json
  casefile import updates.json --root ../project`;

const ANSWER_HELP = `
Examples:
  casefile answer q-41 yes
  casefile answer q-41 'the tables of schema "app"' --json`;

const CHECK_HELP = `
Examples:
  casefile check answer.json --packet packet.json --tree /path/to/the/files`;
