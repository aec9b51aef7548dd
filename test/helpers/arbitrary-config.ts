import fc from 'fast-check';
import type { RepositoryConfig } from '../../src/domain/config.ts';
import type { SettingValues } from '../../src/domain/config-merge.ts';
import { gateSeverity, LENSES } from '../../src/domain/vocabulary.ts';

/** Patterns as people write them, `!` ones among them, over few names so that they meet. */
export const arbitraryPatterns = fc.array(
  fc
    .tuple(
      fc.constantFrom('', '', '!'),
      fc.constantFrom('', '/', '**/'),
      fc.constantFrom('src', 'src/', '*.ts', 'src/a.ts', 'test', '*', 'lib/*', 'a*', '[ab].ts'),
    )
    .map((parts) => parts.join('')),
  { maxLength: 4 },
);

const lenses = fc.uniqueArray(fc.constantFrom(...LENSES), { minLength: 1 });
const gate = fc.constantFrom(...gateSeverity.options);

export const arbitraryValues: fc.Arbitrary<SettingValues> = fc.record(
  {
    provider: fc.constantFrom('builtin', 'command', 'handoff'),
    parallel: fc.integer({ min: 1, max: 9 }),
    timeout: fc.integer({ min: 1, max: 9_000_000 }),
    maxAttempts: fc.integer({ min: 1, max: 9 }),
    lenses,
    include: arbitraryPatterns,
    exclude: arbitraryPatterns,
    failOn: gate,
    requireComplete: fc.boolean(),
    wait: fc.boolean(),
    grace: fc.integer({ min: 0, max: 9000 }),
    consent: fc.array(fc.constantFrom('analyzers', 'analyzers:ruff')),
  },
  { requiredKeys: [] },
);

export const arbitraryRepository: fc.Arbitrary<RepositoryConfig> = fc.record(
  {
    lenses,
    include: arbitraryPatterns,
    exclude: arbitraryPatterns,
    failOn: gate,
    requireComplete: fc.boolean(),
  },
  { requiredKeys: [] },
);
