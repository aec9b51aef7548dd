import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPathMatcher } from '../../../src/pipeline/analyzer-reports/match-paths.ts';

const FILES = [
  'package.json',
  'src/a.ts',
  'src/index.ts',
  'packages/x/src/index.ts',
  'packages/x/only.ts',
  'a b/ü#1.ts',
];

const matched = (reported: readonly string[], files: readonly string[] = FILES) =>
  [...createPathMatcher(files)(reported).values()].map((match) =>
    match.kind === 'matched' ? match.path : match.kind,
  );

describe('paths of a report', () => {
  test('are files of the audit, from whatever machine they come (W79)', () => {
    for (const root of [
      '/builds/acme/shop',
      '/private/var/x',
      'C:\\work\\shop',
      'D:/a/shop/shop',
    ]) {
      const slash = root.includes('\\') ? '\\' : '/';
      const reported = FILES.map((file) => `${root}${slash}${file.replaceAll('/', slash)}`);
      expect(matched(reported), root).toEqual(FILES);
    }
    expect(matched(['./src/a.ts', 'src//index.ts', 'src/../package.json'])).toEqual([
      'src/a.ts',
      'src/index.ts',
      'package.json',
    ]);
  });

  test('of one file that is here are not taken for another of the same name', () => {
    // The root is /ci/shop, so this is a file that the audit has not.
    expect(matched(['/ci/shop/src/a.ts', '/ci/shop/lib/index.ts', '/ci/shop/index.ts'])).toEqual([
      'src/a.ts',
      'unknown',
      'unknown',
    ]);
    expect(matched(['src/a.ts', 'dist/package.json', 'node_modules/x/package.json'])).toEqual([
      'src/a.ts',
      'unknown',
      'unknown',
    ]);
    expect(matched(['/x/node_modules/y/package.json', 'node_modules/y/src/a.ts'])).toEqual([
      'unknown',
      'unknown',
    ]);
  });

  test('of a tool that ran in a folder below or above are found, where only one file can be meant', () => {
    expect(matched(['only.ts'])).toEqual(['packages/x/only.ts']);
    expect(matched(['shop/src/a.ts', 'shop/package.json'])).toEqual(['src/a.ts', 'package.json']);
    // It may be either.
    expect(matched(['index.ts'])).toEqual(['unknown']);
  });

  test('that lead out, or are no names, are none', () => {
    expect(
      matched([
        '../a.ts',
        'src/../../a.ts',
        '/../../etc/passwd',
        '',
        '.',
        '/',
        'a\nb',
        'a\0b',
        `${'x'.repeat(5000)}`,
      ]),
    ).toEqual(Array(9).fill('outside'));
  });
});

const segment = fc.constantFrom('a', 'b', 'src', 'index.ts', '..', '.', '', 'c d', 'ü', '\\', 'C:');
const anyPath = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(segment, { maxLength: 8 }).map((segments) => segments.join('/')),
  fc.array(segment, { maxLength: 8 }).map((segments) => `/${segments.join('/')}`),
);

test('no report yields a path that is no file of the audit', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyPath), fc.array(anyPath), (files, reported) => {
      const known = new Set(files);
      const result = createPathMatcher(files)(reported);
      for (const given of reported) {
        const match = result.get(given);
        expect(match).toBeDefined();
        if (match?.kind === 'matched') expect(known.has(match.path)).toBe(true);
      }
    }),
  );
});

test('all files of a repository are found under any root, however their paths are written', () => {
  const name = fc.stringMatching(/^[a-z]{1,3}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.array(name, { minLength: 1, maxLength: 4 }).map((one) => one.join('/')),
        {
          minLength: 1,
        },
      ),
      fc.array(fc.stringMatching(/^[A-Z]{1,3}$/), { minLength: 1, maxLength: 4 }),
      (files, root) => {
        expect(
          matched(
            files.map((file) => `/${root.join('/')}/${file}`),
            files,
          ),
        ).toEqual(files);
        expect(matched(files, files)).toEqual(files);
      },
    ),
  );
});
