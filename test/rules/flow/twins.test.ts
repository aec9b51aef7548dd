import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { extractFlows } from '../../../src/rules/flow/extract.ts';
import type { FlowFacts } from '../../../src/rules/flow/flow-facts.ts';
import { linkFlows, type FlowLead } from '../../../src/rules/flow/link.ts';
import { SINKS } from '../../../src/rules/flow/sinks/catalog.ts';
import { PROJECT } from '../../helpers/built-paths.ts';

const TWINS = join(PROJECT, 'fixtures', 'rules', 'flow');

type Source = { readonly path: string; readonly text: string };

const sourcesIn = (folder: string): readonly Source[] =>
  readdirSync(folder)
    .filter((name) => /\.m?js$/.test(name))
    .map((name) => ({ path: name, text: readFileSync(join(folder, name), 'utf8') }));

const follow = (sources: readonly Source[]): readonly FlowLead[] => {
  const files = new Map<string, FlowFacts>();
  for (const { path, text } of sources) {
    const facts = extractFlows(path, text);
    if (facts !== undefined) files.set(path, facts);
  }
  return linkFlows({ files, targetsOf: () => sources.map(({ path }) => path) });
};

const told = (leads: readonly FlowLead[]): readonly string[] =>
  leads.map(({ place, category }) => `${place.path}:${place.line} ${category}`).toSorted();

/** Lines that end with `// expect`, with the kind that stands behind it or is the folder's name. */
const expected = (sources: readonly Source[], kind: string): readonly string[] =>
  sources
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const mark = /\/\/ expect ?([\w-]*)$/.exec(line);
        return mark === null ? [] : [`${path}:${index + 1} ${mark[1] === '' ? kind : mark[1]}`];
      }),
    )
    .toSorted();

test('every rule that follows data has bad and good twins', () => {
  for (const { category } of SINKS) {
    const names = readdirSync(join(TWINS, category));
    expect(
      names.some((name) => name.startsWith('bad')),
      category,
    ).toBe(true);
    expect(
      names.some((name) => name.startsWith('good')),
      category,
    ).toBe(true);
  }
});

describe.each(SINKS.map(({ category }) => category))('%s', (category) => {
  const all = sourcesIn(join(TWINS, category));

  test.each(all.filter(({ path }) => path.startsWith('bad')))(
    'is told at the marked lines of $path and nowhere else',
    (source) => {
      const wanted = expected([source], category);
      expect(wanted).not.toEqual([]);
      expect(told(follow([source]))).toEqual(wanted);
    },
  );

  test.each(all.filter(({ path }) => path.startsWith('good')))(
    'is not told of $path, and nothing else is',
    (source) => {
      expect(told(follow([source]))).toEqual([]);
    },
  );
});

describe('over files', () => {
  const bad = sourcesIn(join(TWINS, 'over-files', 'bad'));

  test('data is followed from one file into another', () => {
    expect(told(follow(bad))).toEqual(expected(bad, ''));
  });

  test('what other files give that is harmless is not told', () => {
    expect(told(follow(sourcesIn(join(TWINS, 'over-files', 'good'))))).toEqual([]);
  });

  test('the order of the files does not matter', () => {
    const plain = JSON.stringify(follow(bad));
    fc.assert(
      fc.property(fc.shuffledSubarray([...bad], { minLength: bad.length }), (shuffled) => {
        expect(JSON.stringify(follow(shuffled))).toBe(plain);
      }),
    );
  });

  test('the way is told from where the data comes in to where it does harm', () => {
    const lead = follow(bad).find(({ category }) => category === 'path-traversal');
    expect(lead?.trace?.map(({ place }) => `${place.path}:${place.line}`)).toEqual([
      'index.js:6',
      'index.js:6',
      'read.js:3',
    ]);
    expect(lead?.severity).toBe('high');
  });
});
