import { describe, expect, test } from 'vitest';
import { applyPatternRules } from '../../src/analyzers/pattern-rules.ts';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import type { Lead } from '../../src/domain/finding.ts';
import { createAnalyzerCoverage, type Enrichment } from '../../src/pipeline/enrichment.ts';
import type { ContentCache } from '../../src/platform/content-cache.ts';
import { createSimulatedSourceTree } from '../helpers/simulated-source-tree.ts';

const UNSAFE = 'import yaml\nyaml.load(stream)\n';

const applied = async (files: Readonly<Record<string, string>>, cache?: ContentCache) => {
  const tree = createSimulatedSourceTree(files);
  const inventory = await takeInventory(tree);
  return applyPatternRules({ tree, files: inventory.files, ...(cache && { cache }) });
};

/** Counts what was found again and what was kept. */
const createCountedCache = () => {
  const kept = new Map<string, Uint8Array>();
  const counts = { hits: 0, puts: 0 };
  const cache: ContentCache = {
    get: async (key) => {
      const found = kept.get(key);
      if (found !== undefined) counts.hits += 1;
      return found;
    },
    put: (key, bytes) => {
      counts.puts += 1;
      kept.set(key, bytes);
    },
    save: async () => undefined,
  };
  return { cache, counts, kept };
};

describe('our own rules', () => {
  test('name the rule, the kind of the defect and the line, and quote it', async () => {
    const { leads, run } = await applied({ 'a.py': UNSAFE, 'notes.txt': UNSAFE });
    expect(leads).toMatchObject([
      {
        analyzer: 'casefile',
        rule: 'python-unsafe-yaml',
        category: 'unsafe-deserialization',
        lens: 'security',
        severity: 'high',
        place: { path: 'a.py', line: 2 },
        quote: 'yaml.load(stream)',
      },
    ]);
    expect(run).toMatchObject({ files: 1, status: 'done', lenses: ['security'], unchecked: [] });
  });

  test('are of low weight where things are tried out', async () => {
    const { leads } = await applied({ 'tests/a.py': UNSAFE });
    expect(leads).toMatchObject([{ severity: 'low', confidence: 'low' }]);
  });

  test('say the same from the cache, also of a file with the same content elsewhere', async () => {
    const { cache, counts } = createCountedCache();
    const first = await applied({ 'a.py': UNSAFE, 'b.go': 'package b\n' }, cache);
    expect(counts).toEqual({ hits: 0, puts: 2 });
    expect(await applied({ 'a.py': UNSAFE, 'b.go': 'package b\n' }, cache)).toEqual(first);
    const moved = await applied({ 'tests/c.py': UNSAFE }, cache);
    expect(counts).toEqual({ hits: 3, puts: 2 });
    expect(moved.leads).toMatchObject([
      { severity: 'low', place: { path: 'tests/c.py', line: 2 } },
    ]);
  });

  test('look again when what was kept has another shape', async () => {
    const { cache, kept } = createCountedCache();
    const first = await applied({ 'a.py': UNSAFE }, cache);
    for (const key of kept.keys()) kept.set(key, Buffer.from('{"matches":[{"line":0}]}'));
    expect(await applied({ 'a.py': UNSAFE }, cache)).toEqual(first);
  });
});

describe('a file that could not be looked at', () => {
  const large = `eval(x)\n${'# padding\n'.repeat(120_000)}`;
  const covers = (run: Enrichment['analyzers'][number], leads: readonly Lead[]) => {
    const secrets = { ...run, name: 'secretlint', unchecked: [] };
    return createAnalyzerCoverage({ leads: [...leads], analyzers: [secrets, run], incomplete: [] });
  };

  test('is told, and has no verdict under security', async () => {
    const { run, leads, incomplete } = await applied({ 'large.py': large, 'fine.py': 'a = 1\n' });
    expect(run).toMatchObject({ files: 1, status: 'partial', unchecked: ['large.py'] });
    expect(incomplete).toEqual([expect.stringContaining('did not check all of 1 file')]);
    const isCovered = covers(run, leads);
    expect(isCovered({ path: 'large.py', language: 'Python' }, 'security')).toBe(false);
    expect(isCovered({ path: 'fine.py', language: 'Python' }, 'security')).toBe(true);
  });

  test('has its verdict where something was found in it all the same', async () => {
    const { run, leads } = await applied({ 'a.py': 'eval(x)\n'.repeat(5001) });
    expect(run.unchecked).toEqual(['a.py']);
    expect(covers(run, leads)({ path: 'a.py', language: 'Python' }, 'security')).toBe(true);
  });

  test('is one where the parser could make nothing of a place that a rule looks for', async () => {
    const { run } = await applied({ 'a.py': 'x = 1\n)))) yaml.load(s ((((\n' });
    expect(run.unchecked).toEqual(['a.py']);
  });
});
