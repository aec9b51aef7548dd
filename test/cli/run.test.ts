import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { FLAWED_PROJECT, ONE_LENS, PLANTED_TOKEN } from '../helpers/audited-files.ts';
import {
  auditsOf,
  eventsOf,
  findingsOf,
  fingerprintOf,
  logBytes,
  reportFile,
} from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Ended, type Workplace } from '../helpers/built-program.ts';
import { git } from '../helpers/git-repository.ts';
import { until } from '../helpers/real-attempts.ts';
import { startRunningAudit } from '../helpers/running-audit.ts';

describe('the first run, without any flag', () => {
  let place: Workplace;
  let ended: Ended;
  let before: { readonly tree: string; readonly status: string };
  const treeNow = () => ({
    tree: fingerprintOf(place.root, ['.casefile']),
    status: git(place.root, '--no-optional-locks', 'status', '--porcelain', '--ignored=no'),
  });
  beforeAll(async () => {
    // A formatter that was let loose here would have work to do.
    const unformatted = { '.prettierrc': '{}\n', 'src/ugly.js': 'export   const ugly=1' };
    place = await createWorkplace({ ...FLAWED_PROJECT, ...unformatted });
    before = treeNow();
    ended = await place.run('run');
  });
  afterAll(() => place.close());

  /** A workplace in which the run has just ended. */
  const afterIt = async (): Promise<Workplace> => {
    const copy = await place.copy();
    onTestFinished(copy.close);
    return copy;
  };

  test('findings.json is true to the files', () => {
    const found = findingsOf(place).map(({ category, place: { path } }) => [category, path]);
    expect(found).toContainEqual(['code-injection', 'src/run.js']);
    expect(found).toContainEqual(['oxc-parser/syntax-error', 'src/broken.js']);
    expect(found).toContainEqual(['secretlint/github', 'src/settings.py']);
    for (const { anchored, place: where, quote } of findingsOf(place)) {
      const line = readFileSync(join(place.root, where.path), 'utf8').split('\n')[where.line! - 1];
      expect([anchored, line]).toEqual([true, expect.stringContaining(quote)]);
    }
  });

  test('report.md tells the same findings with their places, and shows no secret', () => {
    const report = readFileSync(reportFile(place, 'report.md'), 'utf8');
    for (const { category, place: where } of findingsOf(place)) {
      expect(report).toContain(`\`${category}\``);
      expect(report).toContain(`\`${where.path}:${where.line}\``);
    }
    expect(report + ended.stderr + ended.stdout).not.toContain(PLANTED_TOKEN);
  });

  test('the audited tree and git status are the same to the byte, mode and time before and after (W02)', () => {
    expect(treeNow()).toEqual(before);
  });

  test('the state folder keeps itself out of version control', () => {
    expect(readFileSync(join(place.root, '.casefile', '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('people read the progress and the outcome on stderr, and nothing on stdout', () => {
    expect(ended.stdout).toBe('');
    expect(ended.stderr).toMatch(/deriving the inventory/);
    expect(ended.stderr).toMatch(/reviewing · 0\/1 packets/);
    expect(ended.stderr).toMatch(/Exit 1: 1 finding is of severity high or above\.\n$/);
  });

  test('without a terminal no control code is printed', () => {
    expect(ended.stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  test('the gate decides between exit 0 and 1, and asking for another gate starts nothing', async () => {
    expect(ended.code).toBe(1);
    const copy = await afterIt();
    const log = logBytes(copy);
    const codes: unknown[] = [];
    for (const severity of ['critical', 'high', 'medium', 'none']) {
      codes.push((await copy.run('run', '--fail-on', severity)).code);
    }
    expect(codes).toEqual([0, 1, 1, 0]);
    expect(logBytes(copy)).toEqual(log);
  });

  test('run --json prints exactly one object of the documented shape, beside the progress on stderr', async () => {
    const copy = await afterIt();
    const { code, stdout, stderr } = await copy.run('run', '--json', '--fresh');
    const result: unknown = JSON.parse(stdout);
    const count = expect.any(Number) as number;
    expect(result).toEqual({
      contract: 'casefile/v1',
      audit: auditsOf(copy).at(-1),
      state: 'complete',
      how: 'full',
      findings: {
        total: findingsOf(copy).length,
        bySeverity: { critical: 0, high: 1, medium: 2, low: 0, info: 0 },
        notAnchored: 0,
        refuted: 0,
        quarantined: 0,
      },
      coverage: {
        reviewed: 0,
        analyzersOnly: count,
        skipped: count,
        failed: 0,
        notReviewed: count,
      },
      spend: expect.objectContaining({
        attempts: expect.objectContaining({ started: 1 }) as object,
      }),
      report: {
        markdown: reportFile(copy, 'report.md').slice(copy.root.length + 1),
        json: reportFile(copy, 'findings.json').slice(copy.root.length + 1),
      },
      lastSeq: eventsOf(copy).length,
      lastHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      exit: { code, reason: 'gate', reasons: [expect.objectContaining({ reason: 'gate' })] },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/deriving the inventory/);
  });

  test('more runs on an unchanged tree claim no epoch, append nothing and change no byte', async () => {
    const copy = await afterIt();
    const state = fingerprintOf(join(copy.root, '.casefile'));
    for (let time = 0; time < 3; time += 1) {
      const again = await copy.run('run');
      expect([again.code, again.stdout]).toEqual([1, '']);
      expect(again.stderr).toMatch(/Nothing has changed since/);
    }
    expect(fingerprintOf(join(copy.root, '.casefile'))).toBe(state);
  });

  test('report files that were deleted or changed are written again as they were, without an event', async () => {
    const copy = await afterIt();
    const log = logBytes(copy);
    const files = [reportFile(copy, 'report.md'), reportFile(copy, 'findings.json')] as const;
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    await rm(files[0]);
    await writeFile(files[1], '{}\n');
    await copy.run('run');
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(texts);
    expect(logBytes(copy)).toEqual(log);
  });

  test('a changed tree begins a new audit and leaves the old one as it was', async () => {
    const copy = await afterIt();
    const [first] = auditsOf(copy);
    const old = fingerprintOf(join(copy.root, '.casefile', 'audits', first!));
    await writeFile(join(copy.root, 'src', 'fine.js'), 'export const two = eval("1 + 1");\n');
    const { stderr } = await copy.run('run');
    expect(stderr).toMatch(/a new audit begins/i);
    expect(auditsOf(copy)).toHaveLength(2);
    expect(findingsOf(copy).map(({ place: { path } }) => path)).toContain('src/fine.js');
    expect(fingerprintOf(join(copy.root, '.casefile', 'audits', first!))).toBe(old);
  });
});

describe('a run beside another process', () => {
  test('a run beside a running one starts nothing and names the owner (R4)', async () => {
    const { place, gate, owner } = await startRunningAudit();
    const second = await place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'));
    expect([second.code, second.stdout]).toEqual([3, '']);
    expect(second.stderr).toContain(`pid ${owner.pid} `);
    expect(second.stderr).toMatch(/--take-over/);
    expect(place.calls()).toHaveLength(1);
    await writeFile(gate, '');
    expect((await owner.ended).code).toBe(0);
    expect(eventsOf(place, 'WriterOpened')).toHaveLength(1);
    expect(eventsOf(place, 'AttemptStarted')).toHaveLength(1);
  });

  test('a frozen owner keeps its audit', async () => {
    const { place, gate, owner } = await startRunningAudit();
    owner.kill('SIGSTOP');
    const second = await place.run('run', ...ONE_LENS, ...place.commandOf('answer-clean'));
    expect(second.code).toBe(3);
    expect(second.stderr).toContain(`pid ${owner.pid} `);
    owner.kill('SIGCONT');
    await writeFile(gate, '');
    expect((await owner.ended).code).toBe(0);
    expect(eventsOf(place, 'WriterOpened')).toHaveLength(1);
  });

  test('--take-over passes over a frozen owner, adopts its worker, and the old one writes nothing more', async () => {
    const { place, gate, owner } = await startRunningAudit();
    owner.kill('SIGSTOP');
    const second = place.start(
      'run',
      '--take-over',
      ...ONE_LENS,
      ...place.commandOf('slow-answer', gate),
    );
    await until(() => eventsOf(place, 'WriterOpened').length === 2);
    await writeFile(gate, '');
    const { code, stderr } = await second.ended;
    expect([code, place.calls().length]).toEqual([0, 1]);
    expect(stderr).toContain(`taken over from pid ${owner.pid} `);
    const log = logBytes(place);
    owner.kill('SIGCONT');
    const first = await owner.ended;
    expect([first.code, logBytes(place).equals(log)]).toEqual([3, true]);
    expect(first.stderr).toMatch(/This process stopped writing/);
    expect((await place.run('verify')).code).toBe(0);
  });
});
