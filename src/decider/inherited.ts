import type { InheritedFrom } from '../domain/inherited-from.ts';
import type { AuditId } from '../domain/ids.ts';
import type { AuditState } from './state.ts';

/** How many tasks stand by the word of which earlier audit, the oldest audit first. */
export const inheritedFrom = (state: AuditState): readonly InheritedFrom[] => {
  const counts = new Map<AuditId, number>();
  for (const { status, result } of state.tasks.values()) {
    if (status !== 'accepted' || result?.inherited === undefined) continue;
    const { audit } = result.inherited;
    counts.set(audit, (counts.get(audit) ?? 0) + 1);
  }
  return [...counts]
    .map(([audit, tasks]) => ({ audit, tasks }))
    .toSorted((left, right) => (left.audit < right.audit ? -1 : 1));
};
