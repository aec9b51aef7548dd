import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LENSES } from '../../src/domain/vocabulary.ts';
import { LENSES_OF_ROLE, roleOf } from '../../src/pipeline/lens-selection.ts';
import { LENS_GUIDE } from '../../src/pipeline/lens-guide.ts';
import { planReview } from '../../src/pipeline/planning.ts';
import { planningInput, sourceFile } from '../helpers/review-samples.ts';

describe('lenses', () => {
  test('are one list: each is asked of some kind of file and explained in prompts (W19)', () => {
    const asked = new Set(Object.values(LENSES_OF_ROLE).flatMap((lenses) => [...lenses]));
    expect(LENSES.filter((lens) => !asked.has(lens))).toEqual([]);
    expect(Object.keys(LENS_GUIDE).toSorted()).toEqual([...LENSES].toSorted());
  });

  test('that are asked for alone still make a plan, whichever they are (W19)', () => {
    const files = [
      sourceFile('src/pay.js'),
      sourceFile('test/pay.test.js'),
      sourceFile('deploy.yaml', { language: 'YAML' }),
    ];
    for (const lens of LENSES) {
      const { tasks } = planReview(planningInput(files, { lenses: [lens] }));
      expect(tasks.map((task) => task.lens)).toContain(lens);
    }
  });

  test('of no file are none: a file that is looked at is looked at for security at least (W20)', () => {
    for (const lenses of Object.values(LENSES_OF_ROLE)) expect(lenses.has('security')).toBe(true);
  });

  test('are chosen by what a file is, and no word within its name is asked (W20, W22)', () => {
    const code = [
      'src/latest.ts',
      'src/inspector.ts',
      'src/special/contest.ts',
      'src/user.schema.ts',
      'src/attestation.go',
      'src/protest/index.py',
    ];
    for (const path of code)
      expect([path, roleOf({ path, language: 'TypeScript' })]).toEqual([path, 'code']);
    expect(roleOf({ path: 'src/a.test.ts', language: 'TypeScript' })).toBe('test');
  });

  test('of a file depend on that file alone: no other one switches any on or off (W21)', () => {
    const paths = fc.uniqueArray(
      fc.constantFrom(
        'manifest.json',
        'package.json',
        'src/a.ts',
        'src/b.schema.json',
        'README.md',
        'k8s/deploy.yaml',
        'test/a.test.ts',
        'style.css',
      ),
    );
    const cellsOf = (names: readonly string[]): ReadonlySet<string> => {
      const files = names.map((path) => sourceFile(path, { language: languageOf(path) }));
      const { tasks } = planReview(planningInput(files, { lenses: [...LENSES] }));
      return new Set(tasks.flatMap((task) => task.paths.map((path) => `${task.lens} ${path}`)));
    };
    fc.assert(
      fc.property(paths, paths, (some, more) => {
        const all = cellsOf([...new Set([...some, ...more])]);
        for (const cell of cellsOf(some)) expect(all).toContain(cell);
        const others = new Set<string>(more.filter((path) => !some.includes(path)));
        const own = [...all].filter((cell) => !others.has(cell.slice(cell.indexOf(' ') + 1)));
        expect(new Set(own)).toEqual(cellsOf(some));
      }),
      { numRuns: 40 },
    );
  });
});

const languageOf = (path: string): string => {
  if (path.endsWith('.json')) return 'JSON';
  if (path.endsWith('.md')) return 'Markdown';
  if (path.endsWith('.yaml')) return 'YAML';
  return path.endsWith('.css') ? 'CSS' : 'TypeScript';
};
