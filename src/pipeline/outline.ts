import { z } from 'zod';

/** What a file defines, for people and agents who look for the way in. Lines from 1. */
export const namedDefinition = z.object({
  name: z.string(),
  kind: z.string(),
  line: z.int().positive(),
  endLine: z.int().positive(),
});
export type NamedDefinition = Readonly<z.infer<typeof namedDefinition>>;

export const outline = z.object({ path: z.string(), definitions: z.array(namedDefinition) });
export type Outline = z.infer<typeof outline>;

/** More nobody is shown, however the file is cut. */
const DEFINITIONS_MAX = 200;
const NAME_LENGTH = 80;

/** The outline of a file, thinned over the whole of it. @param definitions in order. */
export const outlineOf = (path: string, definitions: readonly NamedDefinition[]): Outline => ({
  path,
  definitions: thinned(definitions, DEFINITIONS_MAX).map(({ name, kind, line, endLine }) => ({
    name: name.slice(0, NAME_LENGTH),
    kind,
    line,
    endLine,
  })),
});

/** Evenly over the whole list, its last one too: the end of a file is as much of it as its start. */
export const thinned = <T>(items: readonly T[], most: number): readonly T[] => {
  if (items.length <= most) return items;
  return Array.from(
    { length: most },
    (_, index) => items[Math.floor(((index + 1) * items.length) / most) - 1],
  ).filter((item) => item !== undefined);
};
