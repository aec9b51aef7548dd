import { z } from 'zod';
import { SINK_KINDS } from './sink-kind.ts';

const kind = z.enum(SINK_KINDS);
const line = z.int().positive();

const wayStep = z.object({ line, says: z.string() });
export type WayStep = z.infer<typeof wayStep>;

const source = z.object({
  kind: z.enum(['request', 'network', 'argv', 'environment', 'parameter']),
  line,
  says: z.string(),
});
export type SourceFact = z.infer<typeof source>;

/** What one file says of the ways of data: all that linking needs, without a path of the file itself. */
export const flowFacts = z.object({
  /** Data from outside that reaches a sink in the file. */
  hits: z.array(z.object({ kind, line, says: z.string(), source, steps: z.array(wayStep) })),
  /** Functions whose parameters reach a sink. */
  functions: z.array(
    z.object({
      id: z.int().nonnegative(),
      name: z.string(),
      line,
      /** Names under which other files get at it; none: nobody does. */
      exportedAs: z.array(z.string()),
      /** The file calls it itself. */
      isCalled: z.boolean(),
      sinks: z.array(
        z.object({
          index: z.int().nonnegative(),
          fields: z.string(),
          kind,
          clean: z.array(kind),
          isWhole: z.boolean(),
          line,
          says: z.string(),
          steps: z.array(wayStep),
          source,
        }),
      ),
    }),
  ),
  /** Calls of functions of other files, with the data that they are given, argument by argument. */
  calls: z.array(
    z.object({
      specifier: z.string(),
      member: z.string(),
      /** Instead of another file's: this function, which gives what it gets to another file. */
      to: z.int().nonnegative().optional(),
      name: z.string(),
      line,
      given: z.array(
        z.array(
          z.object({
            source,
            /** The member of the argument that holds it: empty for the whole. */
            at: z.string(),
            of: z
              .object({ fn: z.int(), index: z.int().nonnegative(), fields: z.string() })
              .optional(),
            clean: z.array(kind),
            isWhole: z.boolean(),
            steps: z.array(wayStep),
          }),
        ),
      ),
    }),
  ),
  /** Modules that it gives on as its own. */
  reexports: z.array(z.object({ specifier: z.string(), member: z.string(), name: z.string() })),
});
export type FlowFacts = z.infer<typeof flowFacts>;
