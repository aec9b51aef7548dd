import { join } from 'node:path';
import type { FoundTool } from './found-tool.ts';

export const bandit: FoundTool = {
  name: 'bandit',
  versionArgs: ['--version'],
  wants: ({ language }) => language === 'Python',
  namesFiles: true,
  // Without a file of ours it looks for `.bandit` files beside what it reads.
  ownFiles: { 'bandit.ini': '[bandit]\n', 'bandit.yaml': '{}\n' },
  launch: ({ files, scratch }) => ({
    args: [
      ...['-f', 'json', '-q', '--ignore-nosec', '--ini', join(scratch, 'bandit.ini')],
      ...['-c', join(scratch, 'bandit.yaml'), ...files],
    ],
    report: 'stdout',
    // 1: it found something.
    exitCodes: [0, 1],
  }),
};
