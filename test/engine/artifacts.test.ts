import { expect, test } from 'vitest';
import { createArtifacts } from '../../src/engine/artifacts.ts';
import { InvariantViolation } from '../../src/std/assert.ts';
import { createMemoryBlobStore } from '../../src/store/memory-blob-store.ts';

test('an artifact that breaks its own schema is a broken invariant, and is not kept (W60)', async () => {
  const put: string[] = [];
  const blobs = createMemoryBlobStore();
  const artifacts = createArtifacts({
    ...blobs,
    put: (bytes) => {
      put.push(Buffer.from(bytes).toString('utf8'));
      return blobs.put(bytes);
    },
  });
  const fine = { leads: [], analyzers: [], incomplete: [] };
  await artifacts.put('enrichment', fine);
  const broken = { ...fine, leads: [{ rule: 'no-eval', severity: 'terrible' }] };
  await expect(artifacts.put('enrichment', broken as never)).rejects.toThrow(InvariantViolation);
  expect(put).toEqual([`${JSON.stringify(fine)}\n`]);
});
