import { z } from 'zod';
import { counted } from '../std/counted.ts';
import { auditId } from './ids.ts';

/** Tasks that were not asked again, since an earlier audit has reviewed the same content. */
export const inheritedFrom = z.strictObject({ audit: auditId, tasks: z.int().positive() });
export type InheritedFrom = z.infer<typeof inheritedFrom>;

/** `12 tasks from audit A, 3 tasks from audit B`. */
export const inheritedWords = (inherited: readonly InheritedFrom[]): string =>
  inherited.map(({ audit, tasks }) => `${counted(tasks, 'task')} from audit ${audit}`).join(', ');
