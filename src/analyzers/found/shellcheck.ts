import type { FoundTool } from './found-tool.ts';

export const shellcheck: FoundTool = {
  name: 'shellcheck',
  versionArgs: ['--version'],
  wants: ({ language }) => language === 'Shell',
  namesFiles: true,
  // Without -x it follows no `source`.
  launch: ({ files }) => ({
    args: ['--norc', '-f', 'json1', '--', ...files],
    report: 'stdout',
    exitCodes: [0, 1],
  }),
};
