import type { Spend } from '../../projections/spend.ts';
import { createSpend, foldSpend } from '../../projections/spend.ts';
import { statusOf } from '../../decider/status.ts';
import { auditFiles } from '../../engine/audit-files.ts';
import { folderSize } from '../../platform/folder-size.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { isoTime } from '../../std/instant-text.ts';
import { counted, grouped } from '../../std/counted.ts';
import { byteWords } from '../byte-words.ts';
import { EXIT } from '../exit.ts';
import { findingsOf, severityWords, type FindingFigures } from '../findings-of.ts';
import { locate, type Place, type ReadAudit } from '../locate.ts';
import { readAllAudits, type AuditReading } from '../read-all.ts';
import { terminal } from '../terminal.ts';
import type { ReadFlags } from './status.ts';

export type RootFlags = Pick<ReadFlags, 'stateDir' | 'json'>;

/** `casefile audits`: all audits of a root, the oldest first, with those that cannot be read. */
export const auditsCommand = async (
  root: string | undefined,
  flags: RootFlags,
): Promise<number> => {
  const place = await locate(root, flags.stateDir);
  const lines: AuditLine[] = [];
  for await (const reading of readAllAudits(createNodeDisk(), place)) {
    lines.push(await lineOf(place, reading));
  }
  if (flags.json === true) terminal.json({ audits: lines });
  else if (lines.length > 0) terminal.answer(lines.map(lineText).join('\n'));
  else terminal.say(`There is no audit in ${place.stateDirectory}. Start one with: casefile run`);
  return EXIT.fine;
};

type AuditLine = { readonly audit: string; readonly bytes: number } & (
  | { readonly state: 'unreadable' | 'not-begun'; readonly reason: string }
  | {
      readonly state: string;
      readonly how?: 'full' | 'partial';
      readonly startedAt: string;
      /** When it was complete; else the instant of its last event. */
      readonly at: string;
      readonly provider: string;
      readonly tasks: { readonly done: number; readonly total: number };
      readonly findings: FindingFigures;
      readonly spend: Spend;
    }
);

const lineOf = async (place: Place, reading: AuditReading): Promise<AuditLine> => {
  const { directory } = auditFiles(place.stateDirectory, reading.id);
  const head = { audit: reading.id, bytes: await folderSize(directory) };
  switch (reading.kind) {
    case 'unreadable':
      return { ...head, state: 'unreadable', reason: reading.reason };
    case 'not-begun':
      return { ...head, state: 'not-begun', reason: 'Its creation was cut short.' };
    case 'read':
      return { ...head, ...(await readLine(reading.audit)) };
  }
};

const readLine = async (audit: ReadAudit) => {
  const { state, commits } = audit;
  const { tasks } = statusOf(state);
  const spend = createSpend();
  for (const { events } of commits) for (const event of events) foldSpend(spend, event);
  return {
    state: state.lifecycle.path,
    ...(state.completed && { how: state.completed.how }),
    startedAt: isoTime(state.opened?.at ?? 0),
    at: isoTime(state.completed?.at ?? state.at),
    provider: state.settings?.provider ?? '',
    tasks: { done: tasks.accepted, total: tasks.total },
    findings: await findingsOf(audit),
    spend,
  };
};

const lineText = (line: AuditLine): string => {
  const size = byteWords(line.bytes);
  if ('reason' in line) {
    const what = line.state === 'unreadable' ? 'cannot be read' : 'has not begun';
    return [`${line.audit}  ${what}  ${size}`, `    ${line.reason}`].join('\n');
  }
  const { how, tasks, findings, spend } = line;
  return [
    `${line.audit}  ${line.state}${how === undefined ? '' : ` (${how})`}  ${size}`,
    `    ${line.startedAt} to ${line.at}, provider ${line.provider}`,
    `    tasks ${grouped(tasks.done)} of ${grouped(tasks.total)} done; findings: ${severityWords(findings.bySeverity)}${findings.isRough ? ' (stated; blobs are damaged)' : ''}`,
    `    ${spendWords(spend)}`,
  ].join('\n');
};

/** What was reported, and for how many ended attempts nothing was: a sum is not always the whole. */
export const spendWords = ({ attempts, tokens, costUsd }: Spend): string => {
  const unknown = (count: number): string =>
    count === 0 ? '' : `, unknown for ${counted(count, 'attempt')}`;
  return [
    counted(attempts.started, 'attempt'),
    `${grouped(tokens.input)} tokens in, ${grouped(tokens.output)} out${unknown(tokens.unknown)}`,
    `${costUsd.sum.toFixed(2)} USD${unknown(costUsd.unknown)}`,
  ].join('; ');
};
