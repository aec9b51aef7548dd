import { isAbsolute } from 'node:path';
import type { FoundTool } from './found-tool.ts';

/**
 * It brings no rules: those that people use come from the network. So it runs with rules that the operator has on
 * this machine, named by semgrep's own variable, or not at all.
 */
export const semgrep: FoundTool = {
  name: 'semgrep',
  versionArgs: ['--version'],
  wants: ({ encoding }) => encoding === 'text',
  namesFiles: true,
  launch: ({ files, environment, isOfRepository }) => {
    const rules = environment['SEMGREP_RULES'];
    if (rules === undefined || !isAbsolute(rules) || isOfRepository(rules)) {
      return 'its rules come from the network; name a folder of rules on this machine in SEMGREP_RULES (an absolute path), or run it yourself and import its SARIF';
    }
    return {
      args: [
        ...['scan', '--config', rules, '--json', '--quiet', '--metrics', 'off'],
        ...['--disable-version-check', '--disable-nosem', '--no-git-ignore', '--', ...files],
      ],
      report: 'stdout',
      environment: { SEMGREP_SEND_METRICS: 'off', SEMGREP_ENABLE_VERSION_CHECK: '0' },
      exitCodes: [0, 1],
    };
  },
};
