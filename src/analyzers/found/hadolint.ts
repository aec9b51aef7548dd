import { join } from 'node:path';
import type { FoundTool } from './found-tool.ts';

export const hadolint: FoundTool = {
  name: 'hadolint',
  versionArgs: ['--version'],
  wants: ({ language }) => language === 'Dockerfile',
  namesFiles: true,
  ownFiles: { 'hadolint.yaml': '{}\n' },
  launch: ({ files, scratch }) => ({
    args: [
      ...['--config', join(scratch, 'hadolint.yaml'), '--no-fail', '--disable-ignore-pragma'],
      ...['--format', 'sarif', ...files],
    ],
    report: 'stdout',
    exitCodes: [0],
  }),
};
