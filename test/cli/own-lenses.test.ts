import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { auditsOf, eventsOf } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

const FILES = {
  'src/pay.js': 'export const pay = (account, amount) => {\n  account.balance -= amount;\n};\n',
  'src/show.js': 'export const show = (text) => text;\n',
  'pay.test.js': "import { pay } from './src/pay.js';\npay({ balance: 1 }, 2);\n",
  'README.md': '# Pay\n\nMoves money.\n',
};
const GUIDE = 'money that is lost, doubled or rounded:\n- amounts as floats\n- missing limits';

let place: Workplace;
beforeEach(async () => {
  place = await createWorkplace(FILES);
  onTestFinished(place.close);
});

const write = (path: string, text: string): string => {
  const file = join(place.folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
};

type PlanView = {
  readonly lenses: readonly { readonly lens: string; readonly cells: number }[];
  readonly packets: readonly { readonly id: string; readonly lenses: readonly string[] }[];
};
const planned = async (...flags: readonly string[]): Promise<PlanView> => {
  const { code, stdout, stderr } = await place.run(
    ...['plan', '--provider', 'handoff', '--json'],
    ...flags,
  );
  expect([code, stderr.includes('error')]).toEqual([0, false]);
  return JSON.parse(stdout) as PlanView;
};

/** Of the newest audit. */
const taskIds = (): readonly string[] =>
  eventsOf(place, 'TasksPlanned').flatMap((event) =>
    (event['tasks'] as readonly { readonly id: string }[]).map(({ id }) => id),
  );

describe('a lens of the operator’s own', () => {
  test('is a file: its text is in the prompts, and it is asked of the files that it names', async () => {
    const file = write('lenses/money.md', `---\nroles: [code]\npaths: [src/pay*]\n---\n${GUIDE}\n`);
    const { lenses, packets } = await planned('--lenses', `security,${file}`);
    expect(lenses).toMatchObject([
      { lens: 'security', cells: 4 },
      { lens: 'money', cells: 1 },
    ]);
    const [packet] = packets.filter((one) => one.lenses.includes('money'));
    const { stdout } = await place.run('plan', '--packet', String(packet?.id), '--json');
    const { prompt } = JSON.parse(stdout) as { readonly prompt: string };
    expect(prompt).toContain(`- money: ${GUIDE.replaceAll('\n', '\n  ')}\n`);
    expect(eventsOf(place, 'AuditOpened')).toMatchObject([
      {
        settings: {
          ownLenses: [{ id: 'money', guide: GUIDE, roles: ['code'], paths: ['src/pay*'] }],
        },
      },
    ]);
  });

  test('without a heading is asked of every file, and its answers count like any', async () => {
    const file = write('money.md', GUIDE);
    const transcript = write(
      'transcript.json',
      JSON.stringify({
        contract: 'casefile/transcript/v1',
        steps: [
          {
            when: { path: 'src/pay.js', lens: 'money' },
            findings: [
              {
                lens: 'money',
                title: 'The balance is not checked',
                category: 'missing-check',
                severity: 'medium',
                confidence: 'high',
                path: 'src/pay.js',
                line: 2,
                quote: 'account.balance -= amount;',
                explanation: 'An account can be overdrawn.',
              },
            ],
          },
        ],
        otherwise: 'clean',
      }),
    );
    const { code, stdout } = await place.run(
      ...['run', '--transcript', transcript, '--lenses', file, '--json'],
    );
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { how: 'full', findings: { total: 1 }, coverage: { reviewed: 4, notReviewed: 0 } },
    ]);
  });

  test('with another text is another question: an audit of its own, with tasks of its own', async () => {
    const file = write('money.md', GUIDE);
    const transcript = ['--transcript', write('t.json', CLEAN)];
    await place.run('run', ...transcript, '--lenses', file);
    await place.run('run', ...transcript, '--lenses', file);
    expect(auditsOf(place)).toHaveLength(1);
    const before = taskIds();
    write('money.md', `${GUIDE}\n- currencies mixed up`);
    expect((await place.run('run', ...transcript, '--lenses', file)).code).toBe(0);
    expect(auditsOf(place)).toHaveLength(2);
    expect(taskIds().filter((id) => before.includes(id))).toEqual([]);
  });

  test('is known by its name from the user’s folder, and the repository cannot take it away', async () => {
    write('config/casefile/lenses/money.md', GUIDE);
    write('config/casefile/config.json', '{ "lenses": ["money", "security", "tests"] }');
    write('project/casefile.config.json', '{ "lenses": ["tests"] }');
    const { lenses } = await planned();
    expect(lenses.map(({ lens }) => lens)).toEqual(['tests', 'money']);
    write('project/casefile.config.json', '{ "lenses": ["money"] }');
    const refused = await place.run('plan', '--provider', 'handoff');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/casefile\.config\.json: lenses\[0\] .*"money".*lenses are/);
  });

  test.each([
    ['', /money\.md: it says nothing to look for/],
    ['---\nroles: [code]\n---\n \n', /says nothing to look for/],
    [
      '---\nroles: [source]\n---\nmoney\n',
      /a heading that cannot be used, in which "roles\[0\]" .* "source".* code, test, config/,
    ],
    ['---\nrole: [code]\n---\nmoney\n', /a heading that cannot be used, .*"role"/],
    ['---\nroles: [code]\nmoney\n', /no second one ends the heading/],
    ['---\nroles: [code\n---\nmoney\n', /no YAML/],
    ['---\npaths: []\n---\nmoney\n', /paths/],
    ['x'.repeat(2001), /has 2001 characters; a lens has at most 2000/],
    ['\u00FF\uD800', undefined],
  ])('that reads %j is refused with what is wrong', async (text, message) => {
    const file = write('money.md', '');
    writeFileSync(file, message === undefined ? Buffer.from([0xff, 0xfe, 0x00]) : text);
    const { code, stderr } = await place.run('plan', '--lenses', file);
    expect(code).toBe(2);
    expect(stderr).toMatch(message ?? /is not UTF-8/);
    expect(auditsOf(place)).toEqual([]);
    expect((await place.run('doctor')).code).toBe(0);
  });

  test('that the user’s file names and nobody wrote is a problem that doctor tells too', async () => {
    write('config/casefile/config.json', '{ "lenses": ["money"] }');
    for (const command of ['plan', 'doctor']) {
      const { code, stdout, stderr } = await place.run(command);
      expect([command, code]).toEqual([command, 2]);
      expect(stdout + stderr).toMatch(/lenses: .*there is no lens "money".*lenses\/money\.md/);
    }
  });
});

const CLEAN = JSON.stringify({
  contract: 'casefile/transcript/v1',
  steps: [],
  otherwise: 'clean',
});
