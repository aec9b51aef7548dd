import { z } from 'zod';
import { leadOrigin } from './finding.ts';
import { lens } from './vocabulary.ts';

const count = z.int().nonnegative();

/** What an analyzer did for an audit, as reports tell it. */
export const analyzerSummary = z.object({
  name: z.string(),
  version: z.string(),
  /** The points of view that it looks from. Artifacts of earlier versions, and other tools, do not say. */
  lenses: z.array(lens).optional(),
  /** Files that it really looked at; of an imported one, those that it says something of. */
  files: count,
  status: z.enum(['done', 'partial', 'failed']),
  /** Absent: it is bundled. */
  origin: leadOrigin.optional(),
  /** The file that its results were imported from, without folders. */
  importedFrom: z.string().optional(),
  /** Its leads, where they came as a report. */
  leads: count.optional(),
  /** What of its report could not be used. `first`: where the first of them stands in it. */
  leftOut: z
    .array(z.object({ reason: z.string(), count, first: z.string().optional() }))
    .min(1)
    .optional(),
});
export type AnalyzerSummary = z.infer<typeof analyzerSummary>;
