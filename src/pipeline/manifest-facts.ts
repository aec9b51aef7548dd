import { z } from 'zod';

/**
 * What the files that steer module resolution say, and only that. Values that have another shape than
 * the tool behind them asks for are left out, as if they were not written.
 */
export const manifestFacts = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('package'),
    name: z.string().optional(),
    main: z.string().optional(),
    module: z.string().optional(),
    types: z.string().optional(),
    source: z.string().optional(),
    /** As written; both are walked in the order of their keys. */
    exports: z.unknown().optional(),
    imports: z.unknown().optional(),
    /** Patterns of folders, relative to this one; a leading `!` takes some out. */
    workspaces: z.array(z.string()),
    /** Dependencies that are folders of the same repository, as `[name, folder or empty]`. */
    local: z.array(z.tuple([z.string(), z.string()])),
  }),
  z.object({ kind: z.literal('workspaces'), workspaces: z.array(z.string()) }),
  z.object({
    kind: z.literal('tsconfig'),
    extends: z.array(z.string()),
    baseUrl: z.string().optional(),
    paths: z.array(z.tuple([z.string(), z.array(z.string())])).optional(),
    rootDirs: z.array(z.string()).optional(),
    outDir: z.string().optional(),
    rootDir: z.string().optional(),
    references: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('go-module'),
    /** Empty for a go.work. */
    module: z.string(),
    /** Modules that stand for others, by a folder relative to this one. */
    replaced: z.array(z.tuple([z.string(), z.string()])),
  }),
  z.object({
    kind: z.literal('cargo'),
    name: z.string().optional(),
    edition: z.string().optional(),
    library: z.object({ name: z.string().optional(), path: z.string().optional() }),
    /** Paths of other targets, where they are not in their usual places. */
    targets: z.array(z.string()),
    /** Names that dependencies have in the code, and what they are called by themselves. */
    renamed: z.array(z.tuple([z.string(), z.string()])),
  }),
  z.object({
    kind: z.literal('composer'),
    psr4: z.array(z.tuple([z.string(), z.string()])),
    psr0: z.array(z.tuple([z.string(), z.string()])),
  }),
  z.object({
    kind: z.literal('python'),
    /** Folders that module names start from, relative to this one. */
    roots: z.array(z.string()),
  }),
  /** Not readable as what it is called. */
  z.object({ kind: z.literal('broken') }),
]);
export type ManifestFacts = z.infer<typeof manifestFacts>;
export type ManifestOf<Kind extends ManifestFacts['kind']> = Extract<ManifestFacts, { kind: Kind }>;
