import { z } from 'zod';
import { fileRole, ownLens } from './vocabulary.ts';

/** More than this a prompt has no room for beside what it asks about. */
export const GUIDE_LENGTH_MAX = 2000;
export const OWN_LENSES_MAX = 8;

/** A point of view that the operator has written down. The log has it whole: a name proves nothing. */
export const lensDefinition = z.strictObject({
  id: ownLens,
  /** What to look for, as prompts put it. */
  guide: z.string().regex(/\S/).max(GUIDE_LENGTH_MAX),
  /** The kinds of files that are asked about. */
  roles: z.array(fileRole).min(1),
  /** Only these paths, as in .gitignore; absent: all. */
  paths: z.array(z.string()).min(1).optional(),
});
export type LensDefinition = z.infer<typeof lensDefinition>;
