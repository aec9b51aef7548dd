import type { SeverityCounts } from './events.ts';
import type { Severity } from './vocabulary.ts';

/** How many there are of each severity. */
export const countSeverities = (
  findings: readonly { readonly severity: Severity }[],
): SeverityCounts => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
};
