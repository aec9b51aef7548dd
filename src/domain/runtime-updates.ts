import { z } from 'zod';
import { readDocument, type ReadDocument } from './schema-issue.ts';

/** What somebody found out by running the project, in the predecessor's form: one row a task. */
export const runtimeUpdates = z.strictObject({
  results: z.array(
    z.strictObject({
      task_id: z.string().min(1),
      status: z.enum(['pending', 'confirmed', 'not_confirmed', 'inconclusive', 'not_required']),
      summary: z.string(),
      evidence: z.array(z.string()).optional(),
      notes: z.array(z.string()).optional(),
    }),
  ),
});
export type RuntimeUpdates = z.infer<typeof runtimeUpdates>;

/** Checks the whole file before anything of it is taken; of a bad one, what is wrong first. */
export const parseRuntimeUpdates = (bytes: Uint8Array): ReadDocument<RuntimeUpdates> =>
  readDocument(bytes, runtimeUpdates, 'the runtime updates');
