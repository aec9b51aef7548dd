import type { CheckFlags } from '../commands/check.ts';
import { jsonOption, type Describe } from './options.ts';

/** The commands for whoever does the work of an audit: hosts, workers, people. */
export const describeHosts: Describe = (programme, done) => {
  programme
    .command('check')
    .description('tell whether an answer would be accepted; exit 1 when not')
    .argument('<answer>', 'the answer file')
    .requiredOption('--packet <file>', 'the packet file that came with the prompt')
    .option('--tree <dir>', 'where the files are, to look for the quotes (default: CASEFILE_TREE)')
    .addOption(jsonOption())
    .action(async (answer: string, flags: CheckFlags) => {
      const { checkCommand } = await import('../commands/check.ts');
      done(await checkCommand(answer, flags));
    });
};
