import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { loadConfiguration } from '../../src/cli/configuration-load.ts';
import { mergeConfiguration } from '../../src/domain/config-merge.ts';
import { printable } from '../../src/std/printable.ts';
import { bent, junkBytes, junkJson, nearly } from '../helpers/arbitrary-junk.ts';
import { bytesOf } from '../helpers/review-samples.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { WRONG_SETTINGS } from '../helpers/wrong-settings.ts';

const USER = {
  provider: 'command',
  command: ['node', '/reviewer.mjs', '{prompt}'],
  parallel: 2,
  timeout: '10m',
  lenses: ['security', 'tests'],
  include: ['src/'],
  failOn: 'none',
  host: { maxActiveSubagents: 2 },
};
const REPOSITORY = { lenses: ['security'], include: ['src/'], exclude: ['*.md'], failOn: 'low' };
const SESSION = {
  provider: 'subprocess-template',
  subprocess_template: { command_template: ['reviewer', '{promptPath}', '{resultPath}'] },
  parallel_workers: 3,
  timeout_ms: 60_000,
};

const fileLike = (whole: unknown): fc.Arbitrary<Uint8Array> =>
  fc.oneof(
    junkBytes,
    junkJson.map((value) => bytesOf(JSON.stringify(value))),
    bent(whole).map((value) => bytesOf(JSON.stringify(value) ?? '')),
    nearly(JSON.stringify(whole, undefined, 1)),
    fc
      .constantFrom(...Object.entries(WRONG_SETTINGS))
      .map(([key, [value]]) => bytesOf({ [key]: value })),
  );

let root: string;
let home: string;
beforeEach(async () => {
  root = await temporaryFolder();
  home = await temporaryFolder();
  await mkdir(join(home, 'casefile'));
  vi.stubEnv('XDG_CONFIG_HOME', home);
});

test('whatever stands in the configuration files, it is used or each problem is told in one printable line', async () => {
  await fc.assert(
    fc.asyncProperty(
      fileLike(USER),
      fileLike(REPOSITORY),
      fileLike({ casefile: REPOSITORY }),
      fileLike(SESSION),
      fc.nat(15),
      async (user, repository, inPackage, session, which) => {
        const files: readonly [string, Uint8Array][] = [
          [join(home, 'casefile', 'config.json'), user],
          [join(root, 'casefile.config.json'), repository],
          [join(root, 'package.json'), inPackage],
          [join(home, 'casefile', 'session-config.json'), session],
        ];
        for (const [index, [file, bytes]] of files.entries()) {
          // Without the one, the other is looked at.
          writeFileSync(file, (which >> index) % 2 === 1 ? bytes : '{}');
        }
        const loaded = await loadConfiguration(root, undefined);
        for (const text of [...loaded.problems, ...loaded.notices, ...loaded.unused]) {
          expect(printable(text)).toBe(text);
        }
        if (loaded.problems.length > 0) return;
        const merged = mergeConfiguration(
          [{ source: 'flag', values: {} }, ...loaded.layers],
          loaded.repository,
        );
        // What came by the repository chooses nothing.
        expect(merged.sources.provider?.[0]).not.toBe('repository');
        expect(merged.sources.command?.[0]).not.toBe('repository');
      },
    ),
    { seed: 1, numRuns: 600 },
  );
});
