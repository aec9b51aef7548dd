import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSarif } from '../../../src/pipeline/analyzer-reports/sarif.ts';
import { pathOfUri } from '../../../src/pipeline/analyzer-reports/reported-path.ts';
import type { ReportedItem, ToolRun } from '../../../src/pipeline/analyzer-reports/tool-run.ts';

const at = (uri: string, more: object = {}) => [
  { physicalLocation: { artifactLocation: { uri, ...more }, region: { startLine: 3 } } },
];
const result = (fields: object = {}) => ({
  ruleId: 'r',
  message: { text: 'It is wrong.' },
  locations: at('src/a.ts'),
  ...fields,
});
const read = (results: readonly unknown[], run: object = {}, driver: object = {}): ToolRun => {
  const runs = readSarif({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'scanner', ...driver } }, results, ...run }],
  });
  const [first] = typeof runs === 'string' ? [] : runs;
  if (first === undefined) throw new Error('no run');
  return first;
};
const itemOf = (...given: Parameters<typeof read>): ReportedItem | undefined =>
  read(...given).items[0];

describe('a result of SARIF', () => {
  test('weighs what its score says, or its level, or its rule', () => {
    const weighed = (properties: object, level?: string) =>
      itemOf([result({ ...(level && { level }), properties })])?.severity;
    expect(
      [9.1, '8.0', '5', 0.1, 0].map((score) => weighed({ 'security-severity': score }, 'note')),
    ).toEqual(['critical', 'high', 'medium', 'low', 'info']);
    expect(['error', 'warning', 'note', 'none'].map((level) => weighed({}, level))).toEqual([
      'medium',
      'low',
      'info',
      'info',
    ]);
    expect(weighed({ tags: ['security'] }, 'error')).toBe('high');
    expect(weighed({ 'security-severity': 'much' }, 'error')).toBe('medium');
    const rules = [{ id: 'r', defaultConfiguration: { level: 'error' } }];
    expect(itemOf([result()], {}, { rules })?.severity).toBe('medium');
    // The standard's default is a warning.
    expect(itemOf([result()])?.severity).toBe('low');
  });

  test('finds its rule by id, by place, in extensions, and under a longer id', () => {
    const rules = [{ id: 'zero' }, { id: 'one', shortDescription: { text: 'One.' } }];
    const extensions = [{ name: 'pack', rules: [{ id: 'more', help: { text: 'More.' } }] }];
    const ruled = (fields: object) =>
      itemOf([result({ ruleId: undefined, ...fields })], {
        tool: { driver: { name: 'x', rules }, extensions },
      });
    expect(ruled({ ruleIndex: 1 })).toMatchObject({ rule: 'one', help: 'One.' });
    expect(ruled({ rule: { index: 0, toolComponent: { index: 0 } } })).toMatchObject({
      rule: 'more',
      help: 'More.',
    });
    expect(ruled({ ruleId: 'one/special' })).toMatchObject({ rule: 'one', help: 'One.' });
    expect(ruled({ ruleId: 'more', ruleIndex: 0 })).toMatchObject({ rule: 'more' });
    expect(ruled({ ruleId: 'nowhere', ruleIndex: 99 })).toMatchObject({ rule: 'nowhere' });
    expect(read([result({ ruleId: undefined })]).leftOut).toMatchObject([
      { reason: 'it names no rule' },
    ]);
  });

  test('says its message with its arguments and without its links', () => {
    const said = (message: object, rules: readonly object[] = []) =>
      itemOf([result({ message })], {}, { rules })?.message;
    expect(said({ text: 'From [here](1) to [there](https://x.test/y).' })).toBe(
      'From here to there.',
    );
    const rules = [{ id: 'r', messageStrings: { bad: { text: '{0} is {1}, {2}' } } }];
    expect(said({ id: 'bad', arguments: ['a', 'b'] }, rules)).toBe('a is b, {2}');
  });

  test('that its tool takes back, or that is no failure, is counted and not taken', () => {
    const { items, leftOut } = read([
      result({ suppressions: [{ kind: 'inSource' }] }),
      result({ suppressions: [{ kind: 'external', status: 'rejected' }] }),
      result({ suppressions: [] }),
      result({ baselineState: 'absent' }),
      result({ baselineState: 'unchanged' }),
      ...['pass', 'notApplicable', 'informational', 'fail'].map((kind) => result({ kind })),
      { ruleId: 7 },
      'nothing',
    ]);
    expect(items).toHaveLength(4);
    expect(leftOut.map(({ count, reason }) => [count, reason])).toEqual([
      [1, 'it is suppressed in the tool'],
      [1, 'it is gone since the baseline'],
      [3, 'it is no failure (its kind says so)'],
      [1, expect.stringContaining('"ruleId" is not as it must be')],
      [1, expect.stringContaining('it is not as it must be')],
    ]);
    expect(leftOut[0]?.first).toBe('runs[0].results[0]');
  });

  test('stands where its URI leads, over bases and lists of artifacts', () => {
    const run = {
      originalUriBaseIds: {
        ROOT: { uri: 'file:///ci/shop/' },
        SRC: { uri: 'src', uriBaseId: 'ROOT' },
        A: { uri: 'a/', uriBaseId: 'B' },
        B: { uri: 'b/', uriBaseId: 'A' },
      },
      artifacts: [{ location: { uri: 'x%20y.ts', uriBaseId: 'SRC' } }],
    };
    const pathOf = (artifactLocation: object) =>
      itemOf([result({ locations: [{ physicalLocation: { artifactLocation } }] })], run)?.place
        .path;
    expect(pathOf({ uri: 'a.ts', uriBaseId: 'ROOT' })).toBe('/ci/shop/a.ts');
    expect(pathOf({ uri: 'a.ts', uriBaseId: 'SRC' })).toBe('/ci/shop/src/a.ts');
    expect(pathOf({ uri: 'a.ts', uriBaseId: 'NONE' })).toBe('a.ts');
    expect(pathOf({ uri: 'file:///other/a.ts', uriBaseId: 'ROOT' })).toBe('/other/a.ts');
    expect(pathOf({ index: 0 })).toBe('/ci/shop/src/x y.ts');
    expect(pathOf({ uri: 'a.ts', uriBaseId: 'A' })).toMatch(/a\.ts$/);
    for (const location of [{}, { index: 5 }, { uri: 'https://x.test/a.ts' }, { uri: '' }]) {
      expect(pathOf(location)).toBeUndefined();
    }
    expect(pathOfUri('file:///C:/work/a%23b.ts')).toBe('C:/work/a#b.ts');
    expect(pathOfUri('file://host/a%zz.ts')).toBe('/a%zz.ts');
  });

  test('with a flow tells the way', () => {
    const step = (line: number, text?: string) => ({
      location: {
        physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: line } },
        ...(text !== undefined && { message: { text } }),
      },
    });
    const flows = (...locations: readonly object[]) => ({
      codeFlows: [{ threadFlows: [{ locations }] }],
    });
    expect(itemOf([result(flows(step(1, 'from here'), {}, step(3)))])?.trace).toEqual([
      { place: { path: 'src/a.ts', line: 1 }, says: 'from here' },
      { place: { path: 'src/a.ts', line: 3 }, says: 'the data comes by here' },
    ]);
    expect(itemOf([result(flows(step(1)))])?.trace).toBeUndefined();
    expect(itemOf([result({ codeFlows: [{}] })])?.rule).toBe('r');
  });

  test('of a run that says that it failed is taken, and that is said', () => {
    const run = { invocations: [{ executionSuccessful: false }] };
    expect(read([result()], run)).toMatchObject({
      items: [{ rule: 'r' }],
      trouble: 'it says itself that it did not end well',
    });
    expect(
      read([result()], { invocations: [{ executionSuccessful: true }] }).trouble,
    ).toBeUndefined();
    const external = { externalPropertyFileReferences: { results: [{}, {}] } };
    expect(read([], external).leftOut).toMatchObject([{ count: 2 }]);
  });
});

test('whatever a run holds, its results are taken or counted, each once', () => {
  const anything = fc.jsonValue({ maxDepth: 4 });
  const bent = fc
    .record(
      {
        ruleId: anything,
        message: anything,
        locations: anything,
        properties: anything,
        codeFlows: anything,
        kind: anything,
      },
      { requiredKeys: [] },
    )
    .map((fields) => result(fields as object));
  fc.assert(
    fc.property(fc.array(fc.oneof(bent, anything)), anything, (results, more) => {
      const { items, leftOut } = read(
        results,
        { artifacts: more, originalUriBaseIds: more, invocations: more },
        { rules: more },
      );
      const left = leftOut.reduce((sum, { count }) => sum + count, 0);
      expect(items.length + left).toBe(results.length);
    }),
  );
});
