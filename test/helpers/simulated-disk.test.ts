import { describe, expect, test } from 'vitest';
import { diskContract } from '../contracts/disk.contract.ts';
import { createSimulatedDisk, SimulatedCrash } from './simulated-disk.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

diskContract('the simulated disk', async () => {
  const disk = createSimulatedDisk();
  await disk.makeDirectory('/work');
  return { disk, directory: '/work' };
});

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);
const text = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && Buffer.from(bytes).toString('utf8');

const withFile = async (
  options: Parameters<typeof createSimulatedDisk>[0] = {},
): Promise<SimulatedDisk> => {
  const disk = createSimulatedDisk(options);
  const file = await disk.open('/file', 'create');
  await file.write(Buffer.from('first.'), 0);
  await file.datasync();
  await disk.syncDirectory('/');
  await file.close();
  return disk;
};

const append = async (disk: SimulatedDisk, bytes: string): Promise<void> => {
  const file = await disk.open('/file', 'existing');
  await file.write(Buffer.from(bytes), await file.size());
  await file.close();
};

/** Every content that power cuts leave in the file. */
const contentsAfterPowerCuts = (disk: SimulatedDisk, path = '/file'): Set<string | undefined> =>
  new Set(SEEDS.map((seed) => text(disk.crash({ kind: 'power', seed }).peek(path))));

describe('the simulated disk', () => {
  test('what was synced survives every power cut', async () => {
    const disk = await withFile();
    expect([...contentsAfterPowerCuts(disk)]).toEqual(['first.']);
  });

  test('what was not synced is kept, lost, cut or garbled', async () => {
    const disk = await withFile();
    await append(disk, 'second.');
    const contents = contentsAfterPowerCuts(disk);
    expect(contents).toContain('first.');
    expect(contents).toContain('first.second.');
    expect([...contents].some((content) => content?.includes('\0'))).toBe(true);
    expect(contents.size).toBeGreaterThan(20);
    for (const content of contents) expect(content?.startsWith('first.')).toBe(true);
  });

  test('bytes that a write does not change are never garbled', async () => {
    const disk = await withFile();
    const file = await disk.open('/file', 'existing');
    await file.write(Buffer.from('first.'), 0);
    expect([...contentsAfterPowerCuts(disk)]).toEqual(['first.']);
  });

  test('an entry survives surely only after the sync of its directory', async () => {
    const disk = createSimulatedDisk();
    const file = await disk.open('/file', 'create');
    await file.write(Buffer.from('x'), 0);
    await file.datasync();
    expect(contentsAfterPowerCuts(disk)).toEqual(new Set(['x', undefined]));
    const next = disk.crash({ kind: 'kill' });
    await next.syncDirectory('/');
    expect([...contentsAfterPowerCuts(next)]).toEqual(['x']);
  });

  test('a rename in one directory happens as a whole or not at all', async () => {
    const disk = await withFile();
    await disk.rename('/file', '/moved');
    for (const seed of SEEDS) {
      expect(disk.crash({ kind: 'power', seed }).files()).toHaveLength(1);
    }
  });

  test('after a failed sync reads show what the disk may have dropped, and a second sync keeps none of it', async () => {
    const kept = new Set<string | undefined>();
    for (const seed of SEEDS.slice(0, 40)) {
      const disk = await withFile({
        seed,
        fault: ({ kind, ordinal }) => (kind === 'datasync' && ordinal > 5 ? 'EIO' : undefined),
      });
      const file = await disk.open('/file', 'existing');
      await file.write(Buffer.from('second.'), 6);
      await expect(file.datasync()).rejects.toMatchObject({ code: 'EIO' });
      expect(text(disk.peek('/file'))).toBe('first.second.');
      const next = disk.crash({ kind: 'kill' });
      expect(text(next.peek('/file'))).toBe('first.second.');
      const again = await next.open('/file', 'existing');
      await again.datasync();
      for (const content of contentsAfterPowerCuts(next)) kept.add(content);
    }
    expect(kept).toEqual(new Set(['first.', 'first.second.']));
  });

  test('a killed process leaves everything readable and nothing more durable than it was', async () => {
    const disk = await withFile();
    await append(disk, 'second.');
    const next = disk.crash({ kind: 'kill' });
    expect(text(next.peek('/file'))).toBe('first.second.');
    expect(contentsAfterPowerCuts(next)).toContain('first.');
  });

  test('a full disk may have taken a part', async () => {
    const lengths = new Set<number | undefined>();
    for (const seed of SEEDS) {
      const disk = createSimulatedDisk({
        seed,
        fault: ({ kind }) => (kind === 'write' ? 'ENOSPC' : undefined),
      });
      const file = await disk.open('/file', 'create');
      await expect(file.write(Buffer.from('abc'), 0)).rejects.toMatchObject({ code: 'ENOSPC' });
      lengths.add(disk.peek('/file')?.length);
    }
    expect(lengths).toEqual(new Set([0, 1, 2, 3]));
  });

  test('from the crash on nothing happens, also to what was under way', async () => {
    const disk = createSimulatedDisk({ crashAt: 3 });
    const file = await disk.open('/file', 'create');
    const writing = file.write(Buffer.from('x'), 0);
    await expect(disk.syncDirectory('/')).rejects.toThrow(SimulatedCrash);
    await expect(writing).rejects.toThrow(SimulatedCrash);
    await expect(disk.readFile('/file')).rejects.toThrow(SimulatedCrash);
    expect(disk.peek('/file')).toHaveLength(0);
    expect(disk.operations()).toMatchObject([
      { ordinal: 1, kind: 'create', path: '/file', changes: true },
      { ordinal: 2, kind: 'write', path: '/file', changes: true },
    ]);
  });

  test('the same seed gives the same content', async () => {
    const disk = await withFile();
    await append(disk, 'second.');
    for (const seed of SEEDS) {
      const once = disk.crash({ kind: 'power', seed }).peek('/file');
      expect(disk.crash({ kind: 'power', seed }).peek('/file')).toEqual(once);
    }
  });
});
