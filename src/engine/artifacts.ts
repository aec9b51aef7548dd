import type { z } from 'zod';
import type { BlobRef, Digest } from '../domain/ids.ts';
import type { DerivedObligation } from '../domain/vocabulary.ts';
import { designAssessment } from '../pipeline/design-assessment.ts';
import { disposition } from '../pipeline/disposition.ts';
import { enrichment } from '../pipeline/enrichment.ts';
import { inventory } from '../pipeline/inventory.ts';
import { plan } from '../pipeline/planning.ts';
import { structure } from '../pipeline/structure.ts';
import { runtimeValidation } from '../domain/runtime-check.ts';
import { synthesis } from '../domain/synthesis.ts';
import type { AuditState } from '../decider/state.ts';
import { assert, required } from '../std/assert.ts';
import type { BlobStore } from '../store/blob-store.ts';

/** What each stage derives. An artifact is a JSON blob that an event names. */
const SCHEMAS = {
  inventory,
  disposition,
  structure,
  enrichment,
  designAssessment,
  planning: plan,
  runtimeValidation,
  synthesis,
} as const satisfies Partial<Record<DerivedObligation, z.ZodType>>;

export type ArtifactName = keyof typeof SCHEMAS;
export type ArtifactOf<Name extends ArtifactName> = z.infer<(typeof SCHEMAS)[Name]>;

/** Reads artifacts of the audit, each once: their content never changes under its digest. */
export type Artifacts = {
  /** Keeps what a stage has derived. What breaks its schema is never kept: no later life could read it. */
  readonly put: <Name extends ArtifactName>(
    name: Name,
    value: ArtifactOf<Name>,
  ) => Promise<BlobRef>;
  /** Undefined while the state has no such artifact. */
  readonly find: <Name extends ArtifactName>(
    state: AuditState,
    name: Name,
  ) => Promise<ArtifactOf<Name> | undefined>;
  /** For a stage that comes after the one that derives it. */
  readonly get: <Name extends ArtifactName>(
    state: AuditState,
    name: Name,
  ) => Promise<ArtifactOf<Name>>;
};

export const createArtifacts = (blobs: BlobStore): Artifacts => {
  const known = new Map<Digest, Promise<unknown>>();

  const read = async (digest: Digest, schema: z.ZodType): Promise<unknown> =>
    schema.parse(JSON.parse(Buffer.from(await blobs.get(digest)).toString('utf8')));

  const find: Artifacts['find'] = async (state, name) => {
    const artifact = state.obligations.get(name)?.artifact;
    if (artifact === undefined) return undefined;
    let reading = known.get(artifact.digest);
    if (reading === undefined) {
      reading = read(artifact.digest, SCHEMAS[name]);
      known.set(artifact.digest, reading);
    }
    return (await reading) as ArtifactOf<typeof name>;
  };

  return {
    find,
    get: async (state, name) =>
      required(await find(state, name), `the chart derives ${name} before what needs it`),
    put: async (name, value) => {
      const { error, data } = SCHEMAS[name].safeParse(value);
      assert(error === undefined, `what ${name} derives fits its schema: ${error?.message ?? ''}`);
      // In the schema's order of fields, as whoever reads it later gets it: a report that is rendered
      // again is the same to the byte.
      const blob = await blobs.put(Buffer.from(`${JSON.stringify(data)}\n`));
      // What was just derived need not be read back.
      known.set(blob.digest, Promise.resolve(data));
      return blob;
    },
  };
};
