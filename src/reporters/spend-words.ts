import { counted, grouped } from '../std/counted.ts';
import type { ReportInput } from './report-input.ts';

/** Attempts, tokens and money; what nobody said is unknown, and not zero. */
export const spendWords = ({
  settings,
  spend,
}: Pick<ReportInput, 'settings' | 'spend'>): string => {
  const attempts = counted(spend.attempts.started, 'attempt');
  if (settings.reviewer === 'analyzers') {
    return `${attempts}, no model was used and nothing was spent`;
  }
  const { ended } = spend.attempts;
  const { input, output, unknown } = spend.tokens;
  const tokens =
    ended === unknown
      ? 'tokens unknown'
      : `${grouped(input)} input and ${grouped(output)} output tokens${unknown === 0 ? '' : ` (${counted(unknown, 'attempt')} did not say)`}`;
  const cost =
    ended === spend.costUsd.unknown
      ? 'cost unknown'
      : `${spend.costUsd.sum.toFixed(2)} USD${spend.costUsd.unknown === 0 ? '' : ' or more'}`;
  return `${attempts}, ${tokens}, ${cost}`;
};
