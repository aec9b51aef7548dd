import { join } from 'node:path';
import type { FoundTool } from './found-tool.ts';

/** Works on the databases that the operator has fetched. */
export const osvScanner: FoundTool = {
  name: 'osv-scanner',
  versionArgs: ['--version'],
  wants: ({ encoding }) => encoding === 'text',
  namesFiles: false,
  ownFiles: { 'osv-scanner.toml': '' },
  launch: ({ tree, scratch, version }) => ({
    args: [
      // Since 2 there are commands, and what was tried out before is a flag like others.
      ...(Number.parseInt(version ?? '2', 10) >= 2
        ? ['scan', 'source', '--offline']
        : ['--experimental-offline']),
      ...['--no-ignore', '--recursive', '--format', 'sarif'],
      ...['--config', join(scratch, 'osv-scanner.toml'), tree],
    ],
    report: 'stdout',
    exitCodes: [0, 1, 128],
    failures: {
      127: 'it ended with code 127; offline it needs databases, which "osv-scanner scan --offline --download-offline-databases ." fetches',
    },
    // 128: there are no packages.
    mayBeSilent: true,
  }),
};
