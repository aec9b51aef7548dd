import { Argument, Option } from 'commander';
import type { RootFlags } from '../commands/audits.ts';
import type { LogFlags } from '../commands/log.ts';
import type { MachineFlags, MachineName } from '../commands/machine.ts';
import type { ReplayFlags } from '../commands/replay.ts';
import type { ReadFlags } from '../commands/status.ts';
import { eventNumberValue, instantValue, repeated } from '../values.ts';
import {
  auditOption,
  examples,
  jsonOption,
  reader,
  rootArgument,
  rooted,
  stateDirOption,
  type Describe,
} from './options.ts';

/** The commands that only read: they take no lock and write nothing. */
export const describeReading: Describe = (programme, done) => {
  examples(
    reader(programme, 'status', 'where an audit stands').action(
      async (root: string | undefined, flags: ReadFlags) => {
        const { statusCommand } = await import('../commands/status.ts');
        done(await statusCommand(root, flags));
      },
    ),
    [
      ['status', 'the newest audit of this project'],
      ['status --audit 20261130 --json', 'the one of that day, for programs'],
    ],
  );

  examples(
    programme
      .command('explain')
      .alias('explain-task')
      .description('what happened to a thing of an audit, and why it is where it is now')
      .addArgument(
        new Argument(
          '[id]',
          'task, packet, finding, attempt (#17), event (17), account or obligation; its beginning is enough',
        ).default(undefined, 'the audit itself'),
      )
      .addArgument(rootArgument())
      .addOption(auditOption())
      .addOption(stateDirOption())
      .addOption(jsonOption())
      .action(async (id: string | undefined, root: string | undefined, flags: ReadFlags) => {
        const { explainCommand } = await import('../commands/explain.ts');
        done(await explainCommand(id, root, flags));
      }),
    [
      ['explain', 'why the audit is in its state'],
      ['explain p-1f3c', 'a packet: its attempts, answers, refusals, and why it does not run'],
      ["explain '#17'", 'an attempt: how it ended, and where its stdout and stderr are'],
      ['explain planning', 'an obligation'],
      ['explain audit ../other', 'the audit of another project'],
    ],
  );

  examples(
    rooted(programme, 'audits', 'all audits here, those that cannot be read too').action(
      async (root: string | undefined, flags: RootFlags) => {
        const { auditsCommand } = await import('../commands/audits.ts');
        done(await auditsCommand(root, flags));
      },
    ),
    [
      ['audits', 'id, state, tasks, findings, spend and size of each'],
      ['audits --json | jq -r ".audits[].audit"', 'only the ids'],
    ],
  );

  examples(
    rooted(programme, 'stats', 'figures over all audits here').action(
      async (root: string | undefined, flags: RootFlags) => {
        const { statsCommand } = await import('../commands/stats.ts');
        done(await statsCommand(root, flags));
      },
    ),
    [['stats', 'attempts by end, durations, tokens, cost and acceptance, by provider']],
  );

  examples(
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
      }),
    [
      ['log', 'every event, a line each'],
      ['log --type AttemptEnded --from 100', 'how attempts ended, from event 100 on'],
      ['log --follow --json | jq .events', 'watch a run in another terminal'],
    ],
  );

  examples(
    reader(programme, 'replay', 'fold the log to any point and show the state there')
      .addOption(new Option('--to <n>', 'up to this event number').argParser(eventNumberValue))
      .addOption(
        new Option('--at <instant>', 'up to this instant (ISO 8601)').argParser(instantValue),
      )
      .option(
        '--verify',
        'compare every recorded transition with the chart; exit 1 when one differs',
      )
      .action(async (root: string | undefined, flags: ReplayFlags) => {
        const { replayCommand } = await import('../commands/replay.ts');
        done(await replayCommand(root, flags));
      }),
    [
      ['replay --to 120', 'the state after event 120'],
      ['replay --at 2026-11-30T10:14:00Z', 'the state at an instant'],
      ['replay --verify', 'does the chart agree with every recorded transition?'],
    ],
  );

  examples(
    reader(
      programme,
      'verify',
      'check every byte, the chain and the blobs; exit 1 on damage',
    ).action(async (root: string | undefined, flags: ReadFlags) => {
      const { verifyCommand } = await import('../commands/verify.ts');
      done(await verifyCommand(root, flags));
    }),
    [
      ['verify', 'is everything whole? exit 1 when not'],
      ['verify --audit 20261130 --json', 'one audit, for programs'],
    ],
  );

  examples(
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
      }),
    [
      ['machine', 'the audit chart as Mermaid'],
      ['machine attempt --format dot | dot -Tsvg > attempt.svg', 'a picture'],
    ],
  );
};
