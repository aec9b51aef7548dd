import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditFolder } from '../helpers/audit-on-disk.ts';
import { createWorkplace } from '../helpers/built-program.ts';

test('a missing or damaged state.json stops nothing: nobody reads it (R33)', async () => {
  const place = await createWorkplace({ 'a.js': 'export const a = 1;\n' });
  try {
    const flags = place.commandOf('answer-clean');
    expect((await place.run('run', '--max-runs', '1', ...flags)).code).toBe(0);
    const view = join(auditFolder(place), 'state.json');
    const status = (await place.run('status', '--json')).stdout;
    for (const damage of ['', '{"state":"compl', 'null', '\0\0\0\0']) {
      writeFileSync(view, damage);
      expect(await place.run('status', '--json')).toMatchObject({ code: 0, stdout: status });
      expect((await place.run('run', ...flags)).code).toBe(0);
    }
    rmSync(view);
    expect((await place.run('replay', '--verify')).code).toBe(0);
    expect((await place.run('run', '--fresh', ...flags)).code).toBe(0);
  } finally {
    await place.close();
  }
});
