import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { accountMachine } from '../../machines/account.machine.ts';
import { attemptMachine } from '../../machines/attempt.machine.ts';
import { auditMachine } from '../../machines/audit.machine.ts';
import { chartDot } from '../../src/reporters/chart-dot.ts';
import { chartJson } from '../../src/reporters/chart-json.ts';
import { chartMermaid } from '../../src/reporters/chart-mermaid.ts';
import { expectGolden } from '../helpers/golden.ts';

const charts = { account: accountMachine, attempt: attemptMachine, audit: auditMachine };
const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'golden', 'charts');

describe.each(Object.entries(charts))('the drawing of the %s chart', (name, machine) => {
  test('as mermaid is the one that was last looked at', () => {
    expectGolden(`charts/${name}.mmd`, chartMermaid(machine.config));
  });
  test('as graphviz is the one that was last looked at', () => {
    expectGolden(`charts/${name}.dot`, chartDot(machine.config));
  });
  test('as JSON is the one that was last looked at', () => {
    expectGolden(`charts/${name}.json`, chartJson(machine.config));
  });
});

test('no drawing is left of a chart that is not there any more', () => {
  const expected = Object.keys(charts).flatMap((name) =>
    ['dot', 'json', 'mmd'].map((format) => `${name}.${format}`),
  );
  expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted());
});
