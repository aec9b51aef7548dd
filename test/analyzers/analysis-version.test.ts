import { expect, test } from 'vitest';
import { analysisVersion } from '../../src/analyzers/analysis-version.ts';
import { workOf } from '../helpers/counted-work.ts';

test('the files of the tool are digested once for a process, however often their digest is asked for (W31)', async () => {
  const first = await workOf(analysisVersion);
  const again = await workOf(() => {
    for (let times = 0; times < 10; times += 1) analysisVersion();
  });
  expect(again).toBeLessThan(first / 10);
});
