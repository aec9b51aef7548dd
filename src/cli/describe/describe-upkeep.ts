import type { RepairFlags } from '../commands/repair.ts';
import { reader, type Describe } from './options.ts';

/** The commands that keep audits and their folders in order. */
export const describeUpkeep: Describe = (programme, done) => {
  reader(programme, 'repair', 'cut a damaged log at its first damage, keeping what is cut')
    .option('--take-over', 'pass over an owner that can never come back')
    .action(async (root: string | undefined, flags: RepairFlags) => {
      const { repairCommand } = await import('../commands/repair.ts');
      done(await repairCommand(root, flags));
    });
};
