import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeInventory } from '../../src/analyzers/take-inventory.ts';
import { mergeConfiguration } from '../../src/domain/config-merge.ts';
import { repositoryConfig, type RepositoryConfig } from '../../src/domain/config.ts';
import type { SettingValues } from '../../src/domain/config-merge.ts';
import { LENSES, SEVERITIES, type GateSeverity } from '../../src/domain/vocabulary.ts';
import { deriveDisposition, includedFiles } from '../../src/pipeline/disposition.ts';
import { gateOf, newSettings, type Asked } from '../../src/cli/asking.ts';
import { createBuiltinProvider } from '../../src/providers/builtin.ts';
import { createSimulatedSourceTree } from '../helpers/simulated-source-tree.ts';
import { arbitraryRepository, arbitraryValues } from '../helpers/arbitrary-config.ts';

const FILES = ['a.ts', 'b.js', 'src/a.ts', 'src/b.ts', 'src/deep/a.ts', 'test/a.ts', 'lib/x/a.md'];
const inventory = await takeInventory(
  createSimulatedSourceTree(Object.fromEntries(FILES.map((path) => [path, `// ${path}\n`]))),
);
const provider = { ...createBuiltinProvider(), lenses: LENSES };

const askedBy = (user: SettingValues, repository: RepositoryConfig | undefined): Asked => {
  const { values, narrowing, repositoryGate, sources } = mergeConfiguration(
    [{ source: 'user', values: user }],
    repository,
  );
  const { provider: _, ...rest } = values;
  return { ...rest, narrowing, repositoryGate, sources };
};

/** The severities that exceed a gate, told without the code under test. */
const failingAt = (gate: GateSeverity): string[] =>
  gate === 'none' ? [] : SEVERITIES.slice(0, SEVERITIES.indexOf(gate) + 1);

const filesOf = (asked: Asked): readonly string[] =>
  includedFiles(inventory, deriveDisposition(inventory, newSettings(asked, provider))).map(
    ({ path }) => path,
  );

test('a repository never widens its audit: fewer files, fewer lenses, a stricter gate, and nothing else', () => {
  fc.assert(
    fc.property(arbitraryValues, arbitraryRepository, (user, repository) => {
      expect(repositoryConfig.safeParse(repository).success).toBe(true);
      const without = askedBy(user, undefined);
      const narrowed = askedBy(user, repository);
      const free = newSettings(without, provider);
      const settings = newSettings(narrowed, provider);

      expect(filesOf(without)).toEqual(expect.arrayContaining([...filesOf(narrowed)]));
      expect(free.lenses).toEqual(expect.arrayContaining(settings.lenses));
      expect(failingAt(settings.failOn)).toEqual(expect.arrayContaining(failingAt(free.failOn)));
      expect(gateOf(narrowed, undefined)).toBe(settings.failOn);
      const { lenses: _1, failOn: _2, narrowing: _3, sources: _4, ...others } = settings;
      expect(free).toMatchObject(others);
    }),
  );
});

test('what a repository leaves is what the user and it both ask for', () => {
  fc.assert(
    fc.property(arbitraryValues, arbitraryRepository, (user, repository) => {
      const own = filesOf(askedBy(user, undefined));
      const its = new Set(
        filesOf(askedBy({ include: repository.include, exclude: repository.exclude }, undefined)),
      );
      expect(filesOf(askedBy(user, repository))).toEqual(own.filter((path) => its.has(path)));
    }),
  );
});
