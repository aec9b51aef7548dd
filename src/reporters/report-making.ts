import { inheritedWords } from '../domain/inherited-from.ts';
import { inert, inertCode } from './inert-markdown.ts';
import { spendWords } from './spend-words.ts';
import type { ReportInput } from './report-input.ts';

/** Where the report comes from, so that somebody else can check it. */
export const makingPart = (input: ReportInput): string => {
  const { root, settings } = input;
  const rows = [
    `Audit ${inertCode(input.audit)}, ${input.startedAt} to ${input.endedAt}, by ${inert(input.tool.name, 60)} ${inert(input.tool.version, 60)}.`,
    `Input: ${root.commit === undefined ? 'no git commit' : `commit ${inertCode(root.commit)}`}, ${root.inventory === 'git' ? 'files of the git index and untracked ones' : 'files found by walking the folder'}, digest ${inertCode(input.inputDigest)}.`,
    `Provider ${settings.provider}${settings.model === undefined ? '' : `, model ${inert(settings.model, 100)}`}: ${spendWords(input)}.`,
    ...(input.analyzers.length === 0
      ? []
      : [
          `Analyzers: ${input.analyzers.map(({ name, version }) => `${inert(name, 60)} ${inert(version, 60)}`).join(', ')}.`,
        ]),
    ...(input.inherited.length === 0 ? [] : [`Inherited: ${inheritedWords(input.inherited)}.`]),
    `Log: event ${input.position.seq}, line hash ${inertCode(input.position.hash)}.`,
    `Any finding can be traced to the answers that state it: ${inertCode('casefile explain f-…')}. Everything here is in findings.json, for programs.`,
  ];
  return ['## How this report was made', rows.map((row) => `- ${row}`).join('\n')].join('\n\n');
};
