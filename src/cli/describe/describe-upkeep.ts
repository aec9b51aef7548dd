import { Argument, InvalidArgumentError, Option } from 'commander';
import type { GcFlags } from '../commands/gc.ts';
import { SHELLS, type Shell } from '../commands/completion.ts';
import type { RepairFlags } from '../commands/repair.ts';
import type { StopFlags } from '../commands/stop.ts';
import { durationOrZero } from '../values.ts';
import { examples, reader, rooted, takeOverOption, type Describe } from './options.ts';

/** The commands that keep audits and their folders in order. */
export const describeUpkeep: Describe = (programme, done) => {
  examples(
    reader(programme, 'stop', 'ask the process that works on an audit to stop, as Ctrl-C would')
      .addOption(
        new Option('--grace <duration>', "the run's own --grace: how long it waits for answers")
          .default(5000, '5s')
          .argParser(durationOrZero),
      )
      .action(async (root: string | undefined, flags: StopFlags) => {
        const { stopCommand } = await import('../commands/stop.ts');
        done(await stopCommand(root, flags));
      }),
    [
      ['stop', 'stop the audit of this project; exit 0 when nothing runs (any more)'],
      ['stop --grace 10m', 'wait as long as a run with --grace 10m may take'],
    ],
  );

  examples(
    rooted(programme, 'gc', 'remove what no audit needs any more; says what, asks nothing')
      .alias('cleanup')
      .option('--dry-run', 'only say what would be removed')
      .addOption(
        new Option(
          '--keep <n>',
          'remove whole complete audits too, but not the newest n (default: keep all)',
        ).argParser(numberToKeep),
      )
      .option('--copies', 'only the frozen copies in the cache')
      .action(async (root: string | undefined, flags: GcFlags) => {
        const { gcCommand } = await import('../commands/gc.ts');
        done(await gcCommand(root, flags));
      }),
    [
      ['gc --dry-run', 'see what could go: copies of complete audits, scratch of ended attempts'],
      ['gc --copies', 'free the cache only'],
      ['gc --keep 5', 'remove complete audits but for the newest five; unfinished ones stay'],
    ],
  );

  examples(
    reader(programme, 'repair', 'cut a damaged log at its first damage, keeping what is cut')
      .addOption(takeOverOption())
      .action(async (root: string | undefined, flags: RepairFlags) => {
        const { repairCommand } = await import('../commands/repair.ts');
        done(await repairCommand(root, flags));
      }),
    [
      ['verify', 'see first what is damaged, and where'],
      ['repair', 'cut the newest log there; what is cut is saved beside it'],
    ],
  );

  examples(
    programme
      .command('completion')
      .description('print the script that completes commands and flags in a shell')
      .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
      .action(async (shell: Shell) => {
        const { completionCommand } = await import('../commands/completion.ts');
        done(await completionCommand(shell));
      }),
    [
      ['completion bash > ~/.local/share/bash-completion/completions/casefile', 'for bash'],
      ['completion zsh > ~/.zfunc/_casefile', 'for zsh, with ~/.zfunc in fpath'],
      ['completion fish > ~/.config/fish/completions/casefile.fish', 'for fish'],
    ],
  );

  programme
    .command('complete', { hidden: true })
    .description('tell the shell what may stand next')
    .argument('[words...]', 'what has been typed')
    .action(async (words: readonly string[]) => {
      const { completeCommand } = await import('../commands/completion.ts');
      done(await completeCommand(programme, words));
    });
};

const numberToKeep = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  }
  return Number(text);
};
