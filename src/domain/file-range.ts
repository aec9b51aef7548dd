import { z } from 'zod';

/**
 * A part of a file that is too large for one reader. Lines from 1, both ends included. The parts of
 * a file follow each other without a gap and without a line in two of them.
 */
export const fileRange = z.strictObject({
  path: z.string(),
  line: z.int().positive(),
  endLine: z.int().positive(),
  /**
   * Only where one line is too large by itself: its bytes (of UTF-8, from 0) up to, not including,
   * `to`. Then `line` and `endLine` are that line.
   */
  bytes: z.strictObject({ from: z.int().nonnegative(), to: z.int().positive() }).optional(),
});
export type FileRange = Readonly<z.infer<typeof fileRange>>;
