import { createFigures, followFigures, type Figures } from '../projections/figures.ts';
import type { AuditReading } from './read-all.ts';

/** Figures of all providers over audits. Those that cannot be read or have not begun add nothing. */
export const figuresOver = async (readings: AsyncIterable<AuditReading>): Promise<Figures> => {
  const figures = createFigures();
  for await (const reading of readings) {
    if (reading.kind === 'read') addFigures(figures, reading.audit.commits);
  }
  return figures;
};

/** Adds those of one audit. */
export const addFigures = (
  figures: Figures,
  commits: Extract<AuditReading, { kind: 'read' }>['audit']['commits'],
): void => {
  const follower = followFigures(figures);
  for (const { seq, events } of commits) {
    for (const [index, event] of events.entries()) follower.add(event, seq + index);
  }
  follower.end();
};
