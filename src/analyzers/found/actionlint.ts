import { join } from 'node:path';
import type { FoundTool } from './found-tool.ts';

export const actionlint: FoundTool = {
  name: 'actionlint',
  versionArgs: ['-version'],
  wants: ({ path }) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path),
  namesFiles: true,
  ownFiles: { 'actionlint.yaml': '{}\n' },
  // It would start the two others by itself, with settings of theirs.
  launch: ({ files, scratch }) => ({
    args: [
      ...['-no-color', '-config-file', join(scratch, 'actionlint.yaml')],
      ...['-shellcheck=', '-pyflakes=', '-format', '{{json .}}', ...files],
    ],
    report: 'stdout',
    exitCodes: [0, 1],
    mayBeSilent: true,
  }),
};
