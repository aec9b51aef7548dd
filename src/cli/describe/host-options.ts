import { Option, type Command } from 'commander';
import { positiveInteger, trueOrFalse } from '../values.ts';

/** What a conversation host can do; the same flags wherever a host takes part. */
export const addHostOptions = (command: Command): Command =>
  command
    .addOption(yesOrNo('--host-can-dispatch-subagents', 'the host can start agents of its own'))
    .addOption(yesOrNo('--host-can-restrict-subagent-tools', 'it can choose what tools they have'))
    .addOption(yesOrNo('--host-can-select-subagent-model', 'it can choose their model'))
    .addOption(
      new Option('--host-max-active-subagents <n>', 'agents that it can have at a time').argParser(
        positiveInteger,
      ),
    );

const yesOrNo = (flag: string, description: string): Option =>
  new Option(`${flag} <true|false>`, description).argParser(trueOrFalse);
