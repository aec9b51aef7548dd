import { z } from 'zod';

/** `type` imports are gone at run time; `dynamic` ones run later than the module. */
export const importKind = z.enum(['import', 'type', 'dynamic', 'require']);
export type ImportKind = z.infer<typeof importKind>;

/** One import that leads to another file of the inventory. `line` is where it stands, from 1. */
export const importEdge = z.object({
  from: z.string(),
  to: z.string(),
  kind: importKind,
  line: z.int().positive(),
});
export type ImportEdge = z.infer<typeof importEdge>;
