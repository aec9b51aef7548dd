import { z } from 'zod';
import { readDocument, type ReadDocument } from './schema-issue.ts';
import { severity } from './vocabulary.ts';

/**
 * Results of an analyzer that somebody ran outside, in the predecessor's normalised form. Closed but
 * for `tool_statuses` and `raw`, which belong to the tool.
 */
export const analyzerResults = z.strictObject({
  tool: z.string().trim().min(1),
  generated_at: z.string().optional(),
  ownership_roots: z
    .array(
      z.strictObject({
        root: z.string(),
        paths: z.array(z.string()).min(1),
        kind: z.string().optional(),
        confidence: z.number().min(0).max(1).optional(),
        reason: z.string().optional(),
      }),
    )
    .optional(),
  tool_statuses: z.unknown().optional(),
  results: z.array(
    z
      .strictObject({
        id: z.string().min(1),
        category: z.string().min(1),
        severity,
        path: z.string().min(1),
        line_start: z.int().positive().optional(),
        line_end: z.int().positive().optional(),
        summary: z.string().min(1),
        rule: z.string().optional(),
        raw: z.unknown().optional(),
      })
      .refine(
        ({ line_start: start, line_end: end }) => end === undefined || (start ?? end) <= end,
        {
          path: ['line_end'],
          error: 'Invalid input: expected a line at or after line_start',
        },
      ),
  ),
});
export type AnalyzerResults = z.infer<typeof analyzerResults>;

/** Checks the whole file before anything of it is taken; of a bad one, what is wrong first. */
export const parseAnalyzerResults = (bytes: Uint8Array): ReadDocument<AnalyzerResults> =>
  readDocument(bytes, analyzerResults, 'the analyzer results');
