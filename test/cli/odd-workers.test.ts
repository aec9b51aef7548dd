import { afterAll, beforeAll, expect, test } from 'vitest';
import { ONE_LENS, packetFiles } from '../helpers/audited-files.ts';
import { eventsOf } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

/** One packet, planned; nothing was started yet. */
let planned: Workplace;
beforeAll(async () => {
  planned = await createWorkplace(packetFiles(1));
  await planned.run('plan', ...ONE_LENS, ...planned.commandOf('odd-answer'));
});
afterAll(() => planned.close());

test.each([['plain'], ['tty']])(
  'what workers print never reaches the streams of a run, shown as %s (R31)',
  async (ui) => {
    const place = await planned.copy();
    try {
      const command = place.commandOf('odd-answer', '{}');
      const { code, stdout, stderr } = await place.run(
        ...['run', ...ONE_LENS, ...command, '--max-attempts', '1', '--ui', ui, '--json'],
      );
      expect(code).toBe(4);
      expect(stdout).not.toContain('not ours');
      expect(JSON.parse(stdout)).toMatchObject({ contract: 'casefile/v1', state: 'complete' });
      expect(stderr).not.toContain('\u001B[31m');
      expect(stderr).not.toContain('not ours');
    } finally {
      await place.close();
    }
  },
);

/** What a worker may leave instead of an answer, and why nothing of it is taken. */
const ODD = [
  ['only a version', '{"contract_version":"audit-code-worker-result/v1alpha1"}', 'wrong-shape'],
  ['an empty object', '{}', 'wrong-shape'],
  ['null', 'null', 'wrong-shape'],
  ['a number', '7', 'wrong-shape'],
  ['a text', '"done"', 'unreadable-answer'],
  ['an empty array', '[]', 'no-verdict'],
  ['an array of nothing', '[null]', 'wrong-shape'],
  ['no JSON', 'Done! No issues found.', 'unreadable-answer'],
  ['nothing', '', 'unreadable-answer'],
  ['no results', '{"packet":"p-0000000000000000","results":[]}', 'wrong-shape'],
  ['another packet', '{"packet":"p-0000000000000000","results":[{}]}', 'wrong-packet'],
] as const;

test.each(ODD)(
  'an answer that is %s is refused by name, and the audit comes to its end (R32)',
  async (_, answer, expected) => {
    const place = await planned.copy();
    try {
      const command = place.commandOf('odd-answer', answer);
      const { code, stdout, stderr } = await place.run(
        ...['run', ...ONE_LENS, ...command, '--max-attempts', '1', '--json'],
      );
      expect(code).toBe(4);
      expect(stderr).not.toMatch(/internal error| {4}at /);
      const { coverage, findings } = JSON.parse(stdout) as Record<string, unknown>;
      expect({ coverage, findings }).toMatchObject({
        coverage: { reviewed: 0, failed: 1 },
        findings: { total: 0 },
      });
      const ended = eventsOf(place).filter(({ type }) => type === 'AttemptEnded');
      const refused = eventsOf(place).filter(({ type }) => type === 'ResultRejected');
      expect(ended).toHaveLength(1);
      // An empty file is no answer at all: the attempt has failed, and nothing was to be judged.
      if (answer === '') expect(refused).toEqual([]);
      else expect(refused.map(({ code: of }) => of as string)).toContain(expected);
    } finally {
      await place.close();
    }
  },
);
