import { Option } from 'commander';
import type { DoctorFlags } from '../commands/doctor.ts';
import { provider } from '../values.ts';
import { jsonOption, rootArgument, stateDirOption, type Describe } from './options.ts';
import { sessionConfigOption } from './session-config-option.ts';

/** `doctor`: what a run would find here. */
export const describeDoctor: Describe = (programme, done) => {
  programme
    .command('doctor')
    .description('whether a run is possible here, and where each setting comes from; exit 2 if not')
    .addArgument(rootArgument())
    .addOption(new Option('--provider <name>', 'as for run').argParser(provider))
    .option('--command <words>', 'as for run')
    .option('--transcript <file>', 'as for run')
    .addOption(sessionConfigOption())
    .addOption(stateDirOption())
    .addOption(jsonOption())
    .addHelpText('after', DOCTOR_HELP)
    .action(async (root: string | undefined, flags: DoctorFlags) => {
      const { doctorCommand } = await import('../commands/doctor.ts');
      done(await doctorCommand(root, flags));
    });
};

const DOCTOR_HELP = `
Examples:
  casefile doctor                        this folder
  casefile doctor --provider auto        what auto would choose, and why
  casefile doctor --json | jq .settings  each setting, its value and its source`;
