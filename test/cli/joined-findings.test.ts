import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findingsFile, type FindingsFile } from '../../src/domain/findings-file.ts';
import { reportFile } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Ended, type Workplace } from '../helpers/built-program.ts';

const FILES = {
  'src/log.js':
    "import { exec } from 'node:child_process';\nexport const log = (branch, done) => {\n  exec(`git log ${branch}`, done);\n  return branch;\n};\n",
  'src/fine.js': 'export const two = 2;\n',
};
/** Nothing is asked after the review: what its findings are is all that counts here. */
const ALONE = ['--deepening', '0', '--no-narrative'] as const;
const BOTH = ['--lenses', 'security,reliability', ...ALONE] as const;

let place: Workplace;
let ended: Ended;
const found = (): FindingsFile =>
  findingsFile.parse(JSON.parse(readFileSync(reportFile(place, 'findings.json'), 'utf8')));

beforeAll(async () => {
  place = await createWorkplace(FILES);
  ended = await place.run('run', ...BOTH, '--json', ...place.commandOf('tells-in-two-ways'));
});
afterAll(() => place.close());

test('one defect that two lenses tell in two ways is one in every count, with both that said so', () => {
  const { findings, summary, workBlocks } = found();
  expect(findings).toMatchObject([
    {
      severity: 'high',
      lenses: ['security', 'reliability'],
      sources: [{ title: 'Input reaches a shell' }, { title: 'Quotes break it' }],
    },
  ]);
  expect(findings[0]?.aliases).toHaveLength(1);
  expect(summary).toMatchObject({ total: 1, notAnchored: 0, refuted: 0, workBlocks: 1 });
  expect(workBlocks.map((block) => block.findings)).toEqual([[findings[0]?.id]]);
  expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([1, { findings: { total: 1 } }]);
});

test('explain knows it by each of its names, and tells the history of all who state it (W82)', async () => {
  const [one] = found().findings;
  for (const name of [one?.id, ...(one?.aliases ?? [])]) {
    const { code, stdout } = await place.run('explain', String(name), '--json');
    expect(code).toBe(0);
    const told = JSON.parse(stdout) as { readonly what: readonly string[] };
    expect(told).toMatchObject({ subject: { kind: 'finding', id: one?.id } });
    for (const { task } of one?.sources ?? []) expect(told.what.join(' ')).toContain(task);
  }
});

test('the next audit knows it by one of its names when one of those that told it is not asked (B21)', async () => {
  const [before] = found().findings;
  const names = [before?.id, ...(before?.aliases ?? [])];
  for (const lens of ['security', 'reliability']) {
    const worker = place.commandOf('tells-in-two-ways');
    await place.run('run', '--lenses', lens, ...ALONE, '--fresh', ...worker);
    const { findings } = found();
    expect(findings).toHaveLength(1);
    expect(names).toContain(findings[0]?.id);
  }
});
