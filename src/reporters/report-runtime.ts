import type { RuntimeCheck, RuntimeVerdict } from '../domain/runtime-check.ts';
import { inert, inertBlock, inertCode } from './inert-markdown.ts';
import { filesOf } from './report-words.ts';

const WORDS: Readonly<Record<RuntimeVerdict, string>> = {
  passed: 'passed',
  failed: '**failed**',
  inconclusive: 'inconclusive',
  notRun: 'not run',
};

/** What running the project showed, each command by itself, if anybody ran it. */
export const runtimePart = (checks: readonly RuntimeCheck[] | undefined): readonly string[] => {
  if (checks === undefined) return [];
  if (checks.length === 0) {
    return ['## What running it showed\n\nNo command of the project was found that could be run.'];
  }
  return [
    [
      `## What running it showed (${checks.length})`,
      'Each command has its own verdict. What was not run says nothing about the project.',
      checks.map(item).join('\n'),
    ].join('\n\n'),
  ];
};

const item = ({
  command,
  verdict,
  why,
  paths,
  output,
  durationMs,
  importedFrom,
}: RuntimeCheck): string =>
  [
    `- ${inertCode(command, 200)}: ${WORDS[verdict]} (${inert(why, 300)}${durationMs === undefined ? '' : `, ${(durationMs / 1000).toFixed(1)} s`}${importedFrom === undefined ? '' : `, from ${inert(importedFrom, 200)}`})${paths.length === 0 ? '' : `; names ${filesOf(paths)}`}`,
    ...(verdict === 'failed' && output.length > 0
      ? [indented(inertBlock(output.slice(-LINES_SHOWN).join('\n')))]
      : []),
  ].join('\n');

const LINES_SHOWN = 8;

const indented = (block: string): string => block.replace(/^/gm, '  ');
