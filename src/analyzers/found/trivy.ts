import { join } from 'node:path';
import type { FoundTool } from './found-tool.ts';

const REPORT = 'trivy.sarif';

/** Works on the database that the operator has fetched; where there is none, it says so and ends. */
export const trivy: FoundTool = {
  name: 'trivy',
  versionArgs: ['--version'],
  wants: ({ encoding }) => encoding === 'text',
  namesFiles: false,
  ownFiles: { 'trivy.yaml': '{}\n', trivyignore: '' },
  launch: ({ tree, scratch }) => ({
    args: [
      ...['fs', '--quiet', '--offline-scan', '--skip-db-update', '--exit-code', '0'],
      ...['--scanners', 'vuln,misconfig,secret', '--config', join(scratch, 'trivy.yaml')],
      ...['--ignorefile', join(scratch, 'trivyignore')],
      ...['--format', 'sarif', '--output', join(scratch, REPORT), tree],
    ],
    report: { file: REPORT },
    // Flags that not all versions know; unknown variables are no error.
    environment: {
      TRIVY_SKIP_JAVA_DB_UPDATE: 'true',
      TRIVY_SKIP_CHECK_UPDATE: 'true',
      TRIVY_SKIP_POLICY_UPDATE: 'true',
      TRIVY_SKIP_VERSION_CHECK: 'true',
      TRIVY_DISABLE_TELEMETRY: 'true',
    },
    exitCodes: [0],
    failures: {
      1: 'it ended with code 1; offline it needs the database that "trivy fs --download-db-only ." fetches',
    },
  }),
};
