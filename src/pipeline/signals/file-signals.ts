import { z } from 'zod';

/**
 * Where something outside of the code enters it. `route`: an HTTP path; `socket`: messages on a
 * connection; `command`: a command line; `queue`: messages of a broker; `schedule`: a clock;
 * `graphql` and `rpc`: operations by name; `api`: what a package gives to those who import it.
 */
export const surfaceKind = z.enum([
  'route',
  'socket',
  'command',
  'queue',
  'schedule',
  'graphql',
  'rpc',
  'api',
]);
export type SurfaceKind = z.infer<typeof surfaceKind>;

/** One entrance that a file's syntax declares. */
export const surfaceFact = z.object({
  kind: surfaceKind,
  line: z.int().positive(),
  /** `GET /users/:id`, a queue's or a command's name; as it is written, without mount points. */
  name: z.string(),
  framework: z.string(),
  /** 1 where the framework is known by its import; below where a usual name stands for it. */
  confidence: z.number().min(0).max(1),
});
export type SurfaceFact = z.infer<typeof surfaceFact>;

/**
 * What a parser saw in a file beyond imports and definitions: a function of its content alone.
 *
 * `branches` are places where control may go two ways (conditions, loops, cases, handlers of
 * errors); absent where the tree was not read, since that is dear and the file small.
 */
export const fileSignals = z.object({
  branches: z.int().nonnegative().optional(),
  surfaces: z.array(surfaceFact),
  /** Names that the file gives to others, where its syntax has such a list. */
  exports: z.array(z.string()),
});
export type FileSignals = z.infer<typeof fileSignals>;

/** The same name on the same line once: by the surest way to see it. */
export const sortSurfaces = (surfaces: readonly SurfaceFact[]): SurfaceFact[] => {
  const kept = new Map<string, SurfaceFact>();
  for (const fact of surfaces) {
    const key = `${fact.kind} ${fact.line} ${fact.name}`;
    const known = kept.get(key);
    if (known === undefined || known.confidence < fact.confidence) kept.set(key, fact);
  }
  return [...kept.values()].toSorted(
    (left, right) => left.line - right.line || (left.name < right.name ? -1 : 1),
  );
};

/** Longer names are data that only looks like one. */
export const isSurfaceName = (name: string): boolean => name.length <= 200;
