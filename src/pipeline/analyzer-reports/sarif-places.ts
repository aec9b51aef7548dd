import { z } from 'zod';
import { pathOfUri } from './reported-path.ts';
import type { ReportedPlace } from './tool-run.ts';

/** A place from a `physicalLocation`, or why it is none. */
export type ArtifactPlaces = (physicalLocation: unknown) => ReportedPlace | string;

/**
 * Reads the places of a run. A file is named by a URI, which may be relative to a base that the run
 * names, which may be relative to another one; or by its number in the run's list of artifacts.
 */
export const createArtifactPlaces = (run: {
  readonly originalUriBaseIds?: unknown;
  readonly artifacts?: unknown;
}): ArtifactPlaces => {
  const bases = new Map(Object.entries(baseIds.safeParse(run.originalUriBaseIds).data ?? {}));
  const artifacts = z.array(z.unknown()).safeParse(run.artifacts).data ?? [];

  const uriOf = (given: ArtifactLocation): string | undefined => {
    if (given.uri !== undefined) return resolved(given.uri, given.uriBaseId);
    const listed = artifact.safeParse(artifacts[given.index ?? -1]).data?.location;
    return listed?.uri === undefined ? undefined : resolved(listed.uri, listed.uriBaseId);
  };

  const resolved = (uri: string, baseId: string | undefined): string => {
    let whole = uri;
    let next = baseId;
    // A base that names itself, or another in a circle, ends here.
    for (let steps = 0; next !== undefined && steps < BASES_MAX; steps += 1) {
      if (isAbsoluteUri(whole)) return whole;
      const base: BaseId | undefined = bases.get(next);
      if (base === undefined) break;
      whole = joined(base.uri, whole);
      next = base.uriBaseId;
    }
    return whole;
  };

  return (physicalLocation) => {
    const parsed = physical.safeParse(physicalLocation);
    if (!parsed.success) return 'it has no place in a file';
    const uri = uriOf(parsed.data.artifactLocation);
    if (uri === undefined || uri === '') return 'it names no file';
    const path = pathOfUri(uri);
    if (path === undefined) return 'its place is no file (its URI is of another kind)';
    const { startLine, endLine } = parsed.data.region ?? {};
    return { path, line: startLine, endLine };
  };
};

const BASES_MAX = 10;

const text = z.string();
const line = z.int().positive().optional().catch(undefined);
const artifactLocation = z.looseObject({
  uri: text.optional(),
  uriBaseId: text.optional(),
  index: z.int().nonnegative().optional().catch(undefined),
});
type ArtifactLocation = z.infer<typeof artifactLocation>;
const physical = z.looseObject({
  artifactLocation,
  region: z.looseObject({ startLine: line, endLine: line }).optional().catch(undefined),
});
const artifact = z.looseObject({ location: artifactLocation });
const baseId = z.looseObject({ uri: text.optional(), uriBaseId: text.optional() });
type BaseId = z.infer<typeof baseId>;
const baseIds = z.record(text, baseId);

const isAbsoluteUri = (uri: string): boolean =>
  /^[a-z][a-z0-9+.-]+:/i.test(uri) || uri.startsWith('/');

/** Bases end in a slash by the standard, and not in what all tools write. */
const joined = (base: string | undefined, uri: string): string =>
  base === undefined || base === '' ? uri : `${base.replace(/\/$/, '')}/${uri}`;
