import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ONE_LENS } from './audited-files.ts';
import { createWorkplace, type Started, type Workplace } from './built-program.ts';
import { until } from './real-attempts.ts';

/** A run whose only worker waits for a file with the name `gate`, until the test is over. */
export const startRunningAudit = async (): Promise<{
  readonly place: Workplace;
  readonly gate: string;
  readonly owner: Started;
}> => {
  const place = await createWorkplace({ 'notes.txt': 'A sentence.\n' });
  onTestFinished(place.close);
  const gate = join(place.folder, 'gate');
  const owner = place.start('run', ...ONE_LENS, ...place.commandOf('slow-answer', gate));
  await until(() => place.calls().length === 1);
  return { place, gate, owner };
};
