import { appendFile, chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

type PlanView = {
  readonly files: { readonly total: number; readonly byStatus: Readonly<Record<string, number>> };
  readonly skipped: readonly {
    readonly by: string;
    readonly reason: string;
    readonly files: number;
  }[];
};

let place: Workplace;
beforeAll(async () => {
  place = await createWorkplace({
    'good.js': 'export const a = 1;\n',
    'empty.js': '',
    'locked.js': 'export const b = 2;\n',
    '.gitignore': 'ignored.js\n',
  });
  await writeFile(join(place.root, 'ignored.js'), 'export const c = 3;\n');
  await writeFile(join(place.root, 'untracked.js'), 'export const d = 4;\n');
  const line = 'var x=1;'.repeat(640_000);
  await writeFile(join(place.root, 'bundle.js'), line);
  await appendFile(join(place.root, 'good.js'), 'export const e = 5;\n');
  await chmod(join(place.root, 'locked.js'), 0);
});
afterAll(() => place.close());

const isRoot = process.getuid?.() === 0;

test('every file stands once with a reason of its own, and the totals reconcile (T22)', async () => {
  const plan = JSON.parse((await place.run('plan', '--json')).stdout) as PlanView;
  const { total, byStatus } = plan.files;
  expect(Object.values(byStatus).reduce((sum, count) => sum + count, 0)).toBe(total);
  // .gitignore, good, empty, untracked, bundle, locked, and the ignored one.
  expect(total).toBe(7);
  expect(byStatus).toMatchObject({ empty: 1, minified: 1, ignored: 1 });
  expect(byStatus['included']).toBe(isRoot ? 4 : 3);
  if (!isRoot) {
    expect(byStatus).toMatchObject({ unreadable: 1 });
    expect(plan.skipped.map(({ reason }) => reason)).toContain('reading it failed with EACCES');
  }
});

test('a file that cannot be read is neither empty nor clean, and counts against completeness (T22)', async () => {
  const { code, stdout } = await place.run('run', '--json', '--require-complete');
  const { exit } = JSON.parse(stdout) as { exit: { reasons: { reason: string }[] } };
  expect(code).toBe(isRoot ? 0 : 4);
  if (!isRoot) expect(exit.reasons.map(({ reason }) => reason)).toContain('incomplete');
});
