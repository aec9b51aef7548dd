import { join } from 'node:path';
import type { FoundTool } from './found-tool.ts';

const IGNORE_FILE = '.gitleaksignore';
const REPORT = 'gitleaks.sarif';

export const gitleaks: FoundTool = {
  name: 'gitleaks',
  versionArgs: ['version'],
  wants: ({ encoding }) => encoding === 'text',
  namesFiles: false,
  ownFiles: {
    'gitleaks.toml': '[extend]\nuseDefault = true\n',
    [IGNORE_FILE]: '',
  },
  launch: ({ hasFile, tree, scratch }) =>
    hasFile(IGNORE_FILE)
      ? `it would obey the repository's own ${IGNORE_FILE}, and cannot be told not to`
      : {
          args: [
            ...['detect', '--no-git', '--no-banner', '--redact', '--exit-code', '0'],
            ...['--ignore-gitleaks-allow', '--gitleaks-ignore-path', scratch],
            ...['--config', join(scratch, 'gitleaks.toml'), '--source', tree],
            ...['--report-format', 'sarif', '--report-path', join(scratch, REPORT)],
          ],
          report: { file: REPORT },
          exitCodes: [0],
        },
};
