import { Argument, Option } from 'commander';
import type { LogFlags } from '../commands/log.ts';
import type { MachineFlags, MachineName } from '../commands/machine.ts';
import type { ReplayFlags } from '../commands/replay.ts';
import type { ReadFlags } from '../commands/status.ts';
import { eventNumberValue, instantValue, repeated } from '../values.ts';
import { reader, type Describe } from './options.ts';

/** The commands that only read: they take no lock and write nothing. */
export const describeReading: Describe = (programme, done) => {
  reader(programme, 'status', 'where an audit stands').action(
    async (root: string | undefined, flags: ReadFlags) => {
      const { statusCommand } = await import('../commands/status.ts');
      done(await statusCommand(root, flags));
    },
  );

  reader(
    programme,
    'log',
    'what happened, event by event',
    'print one JSON value a line, a commit each',
  )
    .addOption(
      new Option('--type <event>', 'only events of this type (repeatable)')
        .default([], 'all')
        .argParser(repeated),
    )
    .addOption(new Option('--from <n>', 'from this event number on').argParser(eventNumberValue))
    .addOption(new Option('--to <n>', 'up to this event number').argParser(eventNumberValue))
    .option('--follow', 'go on showing what is added, until the audit is complete')
    .action(async (root: string | undefined, flags: LogFlags) => {
      const { logCommand } = await import('../commands/log.ts');
      done(await logCommand(root, flags));
    });

  reader(programme, 'replay', 'fold the log to any point and show the state there')
    .addOption(new Option('--to <n>', 'up to this event number').argParser(eventNumberValue))
    .addOption(
      new Option('--at <instant>', 'up to this instant (ISO 8601)').argParser(instantValue),
    )
    .option('--verify', 'compare every recorded transition with the chart; exit 1 when one differs')
    .action(async (root: string | undefined, flags: ReplayFlags) => {
      const { replayCommand } = await import('../commands/replay.ts');
      done(await replayCommand(root, flags));
    });

  reader(programme, 'verify', 'check every byte, the chain and the blobs; exit 1 on damage').action(
    async (root: string | undefined, flags: ReadFlags) => {
      const { verifyCommand } = await import('../commands/verify.ts');
      done(await verifyCommand(root, flags));
    },
  );

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
      const { machineCommand } = await import('../commands/machine.ts');
      done(machineCommand(name, flags));
    });
};
