import { z } from 'zod';

/** Whose manifest it is: a family of tools that agree on what a package is. */
export const manifestKind = z.enum([
  'npm',
  'cargo',
  'go',
  'maven',
  'gradle',
  'python',
  'composer',
  'ruby',
  'elixir',
  'dart',
  'dotnet',
  'swift',
]);
export type ManifestKind = z.infer<typeof manifestKind>;

/**
 * What a file that describes a package or a workspace says of its place. Paths and patterns are as
 * written, relative to the manifest's folder.
 */
export const componentManifest = z.object({
  path: z.string(),
  kind: manifestKind,
  /** The package's own name for itself. */
  name: z.string().optional(),
  /** Whether its folder is a package; some files only gather others. */
  isPackage: z.boolean(),
  /** Folders (or patterns of folders) that it takes for its workspace; a leading `!` takes away. */
  members: z.array(z.string()),
});
export type ComponentManifest = z.infer<typeof componentManifest>;
