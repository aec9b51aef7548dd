import { expect, onTestFinished, test } from 'vitest';
import { auditsOf, eventsOf } from '../helpers/audit-on-disk.ts';
import { packetFiles } from '../helpers/audited-files.ts';
import { createWorkplace } from '../helpers/built-program.ts';

test.each([
  { narrow: ['--lenses', 'security'] },
  { narrow: ['--include', 'part-01/'] },
  { narrow: ['--depth', 'quick'] },
])(
  'a finished audit that was asked for with $narrow is no answer to a run without',
  async ({ narrow }) => {
    const place = await createWorkplace(packetFiles(2));
    onTestFinished(place.close);
    const flags = ['run', ...place.commandOf('answer-clean')];
    expect((await place.run(...flags, ...narrow)).code).toBe(0);
    expect((await place.run(...flags, ...narrow)).stderr).toMatch(/Nothing has changed since/);
    expect(auditsOf(place)).toHaveLength(1);
    const whole = await place.run(...flags, '--require-complete');
    expect([whole.code, auditsOf(place).length]).toEqual([0, 2]);
    const [opened] = eventsOf(place, 'AuditOpened');
    const settings = opened?.['settings'] as { lenses: readonly string[]; include: unknown };
    expect([settings.lenses.length, settings.include]).toEqual([11, []]);
    expect((await place.run(...flags)).stderr).toMatch(/Nothing has changed since/);
    expect(auditsOf(place)).toHaveLength(2);
  },
);

test('a plan with other flags takes no run away from the audit that it was about', async () => {
  const place = await createWorkplace(packetFiles(3));
  onTestFinished(place.close);
  const flags = ['run', '--lenses', 'security', ...place.commandOf('answer-clean')];
  expect((await place.run(...flags, '--limit', '1')).code).toBe(3);
  const [begun] = auditsOf(place);
  await place.run('plan', '--provider', 'command', '--depth', 'deep');
  await place.run('plan', '--lenses', 'correctness');
  expect(auditsOf(place)).toHaveLength(3);
  expect((await place.run('status')).stdout).toContain(`Audit ${begun} `);
  const { code, stderr } = await place.run('run', ...place.commandOf('answer-clean'));
  expect([code, place.calls().length]).toEqual([0, 3]);
  expect(stderr).toContain(`Audit ${begun} `);
});
