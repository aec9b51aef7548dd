import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditFolder, auditsOf, fingerprintOf, logFile } from '../helpers/audit-on-disk.ts';
import { createWorkplace } from '../helpers/built-program.ts';

test('an audit that came with the repository is refused, whatever it says', async () => {
  const place = await createWorkplace({ 'a.js': 'export const a = 1;\n' });
  try {
    expect((await place.run('run')).code).toBe(0);
    execFileSync('git', ['add', '-f', '.casefile'], { cwd: place.root });
    for (const command of ['run', 'status', 'plan']) {
      const { code, stderr } = await place.run(command);
      expect(code).toBe(2);
      expect(stderr).toContain('git tracks them');
    }
  } finally {
    await place.close();
  }
});

test('a state directory below the root that is a link is refused, and nothing is made behind it', async () => {
  const place = await createWorkplace({ 'a.js': 'export const a = 1;\n' });
  try {
    const elsewhere = join(place.folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(place.root, '.casefile'));
    const { code, stderr } = await place.run('run');
    expect(code).toBe(2);
    expect(stderr).toContain('is a link');
    expect(auditsOf({ ...place, root: place.folder })).toEqual([]);
  } finally {
    await place.close();
  }
});

test.each(['report', 'hand-offs', 'blobs', 'events'])(
  'a link in place of our folder %s is refused by name; nothing behind it is written or removed',
  async (name) => {
    const place = await createWorkplace({ 'a.js': 'export const a = 1;\n' });
    try {
      await place.run('next', '--lenses', 'security');
      const elsewhere = join(place.folder, 'home', 'elsewhere');
      const ours = join(auditFolder(place), name);
      renameSync(ours, elsewhere);
      writeFileSync(join(elsewhere, 'precious.new'), 'x');
      symlinkSync(elsewhere, ours);
      const before = fingerprintOf(elsewhere);
      for (const command of ['next', 'run', 'ingest', 'status']) {
        const { code, stderr } = await place.run(command);
        expect(code, command).toBe(2);
        expect(stderr).toContain(`${name} is a link`);
      }
      expect(fingerprintOf(elsewhere)).toBe(before);
    } finally {
      await place.close();
    }
  },
);

test('a log that was emptied is damaged, not new: nothing begins silently (V4)', async () => {
  const place = await createWorkplace({ 'a.js': 'export const a = 1;\n' });
  try {
    await place.run('run');
    truncateSync(logFile(place), 0);
    expect((await place.run('verify')).code).toBe(1);
    for (const command of ['run', 'status', 'log', 'replay']) {
      const { code, stderr } = await place.run(command);
      expect(code, command).toBe(2);
      expect(stderr).toContain('holds no event');
    }
    expect(auditsOf(place)).toHaveLength(1);
    expect((await place.run('run', '--fresh')).code).toBe(0);
  } finally {
    await place.close();
  }
});

test('the creation of audits can be taken over too', async () => {
  const place = await createWorkplace({ 'a.js': 'export const a = 1;\n' });
  try {
    await place.run('run');
    const audit = auditsOf(place)[0] ?? '';
    const own = join(place.root, '.casefile', 'audits', audit, 'writers', '1');
    const owner = JSON.parse(readFileSync(own, 'utf8')) as Record<string, unknown>;
    writeFileSync(
      join(place.root, '.casefile', 'writers', '2'),
      JSON.stringify({ ...owner, bootId: 'another-boot' }),
    );
    const { code, stderr } = await place.run('run', '--fresh');
    expect(code).toBe(3);
    expect(stderr).toContain('--take-over');
    expect((await place.run('run', '--fresh', '--take-over')).code).toBe(0);
  } finally {
    await place.close();
  }
});
