import type { FoundTool } from './found-tool.ts';

/** Rules about what goes wrong when a program runs, and about security; not about style. */
const RULES = 'E9,F,B,S,PLE,ASYNC';

/** S101 is the assert, which is how Python is tested. */
const NOT = 'S101';

export const ruff: FoundTool = {
  name: 'ruff',
  versionArgs: ['--version'],
  wants: ({ language }) => language === 'Python',
  namesFiles: true,
  launch: ({ files }) => ({
    args: [
      ...['check', '--isolated', '--no-cache', '--no-fix', '--exit-zero', '--ignore-noqa'],
      ...['--select', RULES, '--ignore', NOT, '--output-format', 'json', '--', ...files],
    ],
    report: 'stdout',
    exitCodes: [0],
  }),
};
