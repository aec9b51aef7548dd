import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOf, reportFile } from '../helpers/audit-on-disk.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

const filesUnder = (folder: string): readonly (readonly [path: string, text: string])[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);

/** Small applications with planted defects, and beside them each rule's twins. */
const PLANTED: Readonly<Record<string, string>> = Object.fromEntries([
  ...filesUnder(join(FIXTURES, 'repos/planted')).map(([path, text]) => [`shop/${path}`, text]),
  ...filesUnder(join(FIXTURES, 'rules/patterns')).map(([path, text]) => [`rules/${path}`, text]),
]);

describe('an audit of planted defects by analyzers alone', () => {
  let place: Workplace;
  const own = () =>
    findingsOf(place).filter(({ explanation }) => explanation.includes('(casefile,'));
  beforeAll(async () => {
    place = await createWorkplace(PLANTED);
    await place.run('run');
  });
  afterAll(() => place.close());

  test('finds every one at its line, and nothing in what is well made', () => {
    const wanted = Object.entries(PLANTED).flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) => {
        const rule = /expect: ([a-z-]+)/.exec(line)?.[1];
        return rule === undefined ? [] : [`${path}:${index + 1} ${rule}`];
      }),
    );
    const found = own().map(({ place: { path, line }, explanation }) => {
      const rule = /rule ([a-z-]+)/.exec(explanation)?.[1];
      return `${path}:${line} ${rule}`;
    });
    expect(wanted.length).toBeGreaterThan(150);
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  test('quotes what stands there', () => {
    for (const { anchored, place: where, quote } of own()) {
      const line = PLANTED[where.path]?.split('\n')[where.line! - 1];
      expect([anchored, line]).toEqual([true, expect.stringContaining(quote)]);
    }
  });

  test('says which analyzers looked, at how many files and from which points of view', () => {
    const { analyzers } = JSON.parse(readFileSync(reportFile(place, 'findings.json'), 'utf8')) as {
      readonly analyzers: readonly { readonly name: string }[];
    };
    expect(analyzers.find(({ name }) => name === 'casefile-rules')).toMatchObject({
      files: Object.keys(PLANTED).length,
      status: 'done',
      lenses: ['security'],
    });
  });
});
