import type { AnalyzerSummary } from '../domain/analyzer-summary.ts';
import { counted } from '../std/counted.ts';

/** What an analyzer did, without its name: what it looked at, or what its report brought and what not. */
export const analyzerWords = (one: AnalyzerSummary): string => {
  const status = one.status === 'done' ? '' : `, ${one.status}`;
  if (one.leads === undefined) {
    const lenses = one.lenses === undefined ? '' : `, for ${one.lenses.join(' and ')}`;
    return `${counted(one.files, 'file')}${lenses}${status}`;
  }
  const from =
    one.origin === 'found'
      ? 'found on this machine'
      : `imported${one.importedFrom === undefined ? '' : ` from ${one.importedFrom}`}`;
  const on = one.leads === 0 ? '' : ` on ${counted(one.files, 'file')}`;
  return `${from}: ${counted(one.leads, 'lead')}${on}${status}${leftOutWords(one)}`;
};

/** The commonest reasons; all of them stand in findings.json. */
const REASONS_SHOWN = 3;

const leftOutWords = ({ leftOut = [] }: AnalyzerSummary): string => {
  if (leftOut.length === 0) return '';
  const reasons = leftOut.toSorted((one, other) => other.count - one.count);
  const shown = reasons
    .slice(0, REASONS_SHOWN)
    .map(({ reason, count }) => (count === 1 ? reason : `${count} × ${reason}`));
  const more = reasons.length - shown.length;
  return `; not used: ${shown.join('; ')}${more > 0 ? `; and ${counted(more, 'more reason')}` : ''}`;
};
