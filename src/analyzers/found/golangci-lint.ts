import { join } from 'node:path';
import type { FoundTool } from './found-tool.ts';

/**
 * It type-checks, so it runs Go's own tools: these are kept from fetching modules and other versions of
 * themselves, and from C compilers. Without the modules at hand it ends with an error, which is told.
 */
export const golangciLint: FoundTool = {
  name: 'golangci-lint',
  versionArgs: ['--version'],
  wants: ({ language }) => language === 'Go',
  namesFiles: false,
  launch: ({ tree, scratch, hasFile, version }) =>
    hasFile('go.mod')
      ? {
          args: [
            'run',
            ...['--no-config', '--issues-exit-code', '0', '--timeout', '4m'],
            ...['--max-issues-per-linter', '0', '--max-same-issues', '0'],
            ...(Number.parseInt(version ?? '2', 10) >= 2
              ? ['--output.json.path', 'stdout', '--path-mode', 'abs', '--show-stats=false']
              : ['--out-format', 'json']),
            './...',
          ],
          cwd: tree,
          report: 'stdout',
          environment: {
            GOFLAGS: '-mod=readonly',
            GOPROXY: 'off',
            GOSUMDB: 'off',
            GOTOOLCHAIN: 'local',
            GOWORK: 'off',
            CGO_ENABLED: '0',
            GOCACHE: join(scratch, 'go'),
            GOLANGCI_LINT_CACHE: join(scratch, 'cache'),
          },
          exitCodes: [0],
          failures: {
            5: 'it found no Go files',
            7: 'Go could not load the packages; offline it needs their modules',
          },
        }
      : 'it needs a go.mod at the top of the repository, and there is none',
};
