import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { auditFolder, eventsOf, findingsOf } from '../helpers/audit-on-disk.ts';
import { PLANTED_TOKEN } from '../helpers/audited-files.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { git } from '../helpers/git-repository.ts';
import { readFolder } from '../helpers/graph-oracle.ts';
import { inCharset } from '../helpers/in-charset.ts';

const place = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<Workplace> => {
  const made = await createWorkplace(files);
  onTestFinished(() => made.close());
  return made;
};

const FLAWED = 'export const run = (text) => eval(text);\n';
const ON_LINE_7 = `${'// a line\n'.repeat(6)}${FLAWED}// after\n`;

describe('through the program', () => {
  test('a repository of another user ends with 2 and says so, in every command (B26)', async () => {
    const { root, run } = await place({ 'a.js': FLAWED });
    // Only the superuser can give a folder away.
    if (process.getuid?.() !== 0) return;
    execFileSync('chown', ['-R', '12345', root]);
    for (const command of [['run'], ['plan'], ['run', root], ['plan', root, '--json']]) {
      const { code, stdout, stderr } = await run(...command);
      expect([code, stdout], command.join(' ')).toEqual([2, '']);
      expect(stderr).toContain('belongs to another user');
      expect(stderr).toContain('safe.directory');
    }
  });

  test('a bare repository ends with 2: there is nothing to review, and that is said (B26)', async () => {
    const { root, folder, run } = await place({ 'a.js': FLAWED });
    const bare = join(folder, 'home', 'bare.git');
    git(root, 'clone', '--quiet', '--bare', root, bare);
    const { code, stderr } = await run('run', bare);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no files of a project')]);
  });

  test('the built program follows imports in every language that it brings a grammar for (W46)', async () => {
    const repos = readdirSync('fixtures/repos').filter((name) => !name.endsWith('.edges'));
    const files = repos.flatMap((name) =>
      Object.entries(readFolder(`fixtures/repos/${name}`, /./)),
    );
    const made = await place(Object.fromEntries(files));
    expect((await made.run('plan')).code).toBe(0);
    const derived = eventsOf(made, 'ArtifactDerived');
    const structure = derived.find(({ obligation }) => obligation === 'structure');
    const { digest } = z.object({ digest: z.string() }).parse(structure?.['artifact']);
    const blob = join(auditFolder(made), 'blobs', digest.slice(0, 2), digest);
    const { edges } = JSON.parse(readFileSync(blob, 'utf8')) as {
      readonly edges: readonly { readonly from: string }[];
    };
    const endings = new Set(edges.map(({ from }) => extname(from)));
    const languages = [
      'js',
      'ts',
      'vue',
      'svelte',
      'py',
      'go',
      'java',
      'kt',
      'cs',
      'rs',
      'rb',
      'php',
      'c',
    ];
    expect(languages.filter((ending) => !endings.has(`.${ending}`))).toEqual([]);
    expect([...endings].some((ending) => /^\.(cc|cpp|hpp)$/.test(ending))).toBe(true);
  });

  test('hostile names are all looked at, and none reaches a screen as it is (B24)', async () => {
    const names = [
      ...['a b.js', 'a#b.js', '100%.js', 'x%20y.js', ':c.js', 'caf\u00e9.js', 'cafe\u0301.js'],
      ...['\u{1f600}.js', '-rf.js', `${'n'.repeat(247)}.js`, 'back\\slash.js', 'new\nline.js'],
      ...['\r::error::x.js', '\u001b[31mred.js'],
    ];
    const made = await place(Object.fromEntries(names.map((name) => [`in/${name}`, FLAWED])));
    await writeFile(
      Buffer.concat([Buffer.from(`${made.root}/in/raw`), Buffer.from([0xff, 0x2e, 0x6a, 0x73])]),
      FLAWED,
    );
    await writeFile(join(made.root, 'in', 'dot.'), 'text\n');
    const { code, stdout, stderr } = await made.run('run');
    // One analyzer takes names as arguments, which bytes cannot be; it says which file it left. Others read it.
    expect(code).toBe(4);
    expect(stderr).toContain('oxlint did not check 1 file whose names are not UTF-8');
    const found = findingsOf(made).map(({ place: { path } }) => path);
    const others = found.filter((path) => !path.startsWith('in/raw'));
    expect(others.toSorted()).toEqual(names.map((name) => `in/${name}`).toSorted());
    expect(stderr).toContain(`files     ${names.length + 2}, looked at ${names.length + 2}`);
    for (const text of [stdout, stderr]) {
      expect(Array.from(text).filter((one) => one < ' ' && one !== '\n')).toEqual([]);
      expect(text.split('\n').filter((line) => line.startsWith('::'))).toEqual([]);
    }
  });

  test('the same flaw is on line 7 however the file is written down (B27)', async () => {
    const crlf = ON_LINE_7.replaceAll('\n', '\r\n');
    const secret = `${'# naïve\n'.repeat(6)}TOKEN = "${PLANTED_TOKEN}"\n# after\n`;
    const made = await place({
      '.gitattributes': '* text=auto\n',
      'lf.js': ON_LINE_7,
      'crlf.js': crlf,
      'mixed.js': ON_LINE_7.replace('\n', '\r\n'),
      'bom.js': inCharset(ON_LINE_7, 'utf-8-bom'),
      'astral.js': ON_LINE_7.replace('export', '/* \u{1f600} */ export'),
      'wide.js': ON_LINE_7.replace('// a line\n', "'\u2028';\n"),
      'lf.py': secret,
      'crlf.py': secret.replaceAll('\n', '\r\n'),
      'bom.py': inCharset(secret, 'utf-8-bom'),
      'latin.py': inCharset(secret, 'latin-1'),
      'little.py': inCharset(secret, 'utf-16le'),
      'big.py': inCharset(secret, 'utf-16be'),
    });
    git(made.root, 'config', 'core.autocrlf', 'true');
    const status = (): string =>
      git(made.root, 'status', '--porcelain') + git(made.root, 'worktree', 'list');
    const before = status();
    const { code } = await made.run('run');
    expect(code).toBeLessThan(2);
    const lines = findingsOf(made)
      .filter(({ quote }) => quote.includes('eval(') || quote.includes('TOKEN'))
      .map(({ place: { path, line } }) => [path, line]);
    expect(Object.fromEntries(lines)).toEqual({
      'astral.js': 7,
      'big.py': 7,
      'bom.js': 7,
      'bom.py': 7,
      'crlf.js': 7,
      'crlf.py': 7,
      'latin.py': 7,
      'lf.js': 7,
      'lf.py': 7,
      'little.py': 7,
      'mixed.js': 7,
      'wide.js': 7,
    });
    expect(status()).toBe(before);
  });

  test('what cannot be read is an error entry, and full coverage is then not reached (B23)', async () => {
    const made = await place({ 'a.js': 'export const a = 1;\n', 'gone.js': 'x\n' });
    // A folder that cannot be opened, for whoever is not the superuser.
    await mkdir(join(made.root, 'locked'), { mode: 0 });
    const { code } = await made.run('run', '--require-complete');
    expect(code).toBe(process.getuid?.() === 0 ? 0 : 4);
  });
});
