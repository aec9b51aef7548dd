import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectOrderly, expectRows, type BadInputRow } from '../helpers/bad-input-row.ts';
import { createWorkplace, type Workplace } from '../helpers/built-program.ts';
import { git } from '../helpers/git-repository.ts';

/** A tree that somebody might audit. Every row gets a repository with one file of its own. */
type Tree = Omit<BadInputRow, 'args' | 'prepare'> & {
  readonly prepare: (root: string) => void;
  readonly args?: readonly string[];
};

const COMPLETE = /Exit 0: Complete\./;
const write = (root: string, path: string, content: string | Uint8Array = 'A line.\n'): void =>
  writeFileSync(join(root, path), content);
const forget = (root: string): void => rmSync(join(root, '.git'), { recursive: true });
const pipe = (root: string, path: string): void => {
  rmSync(join(root, path), { force: true });
  execFileSync('mkfifo', [join(root, path)]);
};
const binary = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31) % 251);
const named = (root: string, name: Buffer): void =>
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), 'A line.\n');
const deep = (root: string, depth: number): void => {
  const folder = join(root, ...Array.from({ length: depth }, () => 'd'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'notes.md'), '# Notes\n');
};

const GIT_DATA: readonly Tree[] = [
  { what: 'no git at all', prepare: forget, code: 0, says: COMPLETE },
  {
    what: 'git without a commit',
    prepare: (root) => {
      forget(root);
      git(root, 'init', '--quiet');
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'a bare repository',
    prepare: (root) => {
      forget(root);
      rmSync(join(root, 'notes.md'));
      git(root, 'init', '--quiet', '--bare');
    },
    code: 2,
    says: /is a repository's own data .*\n {2}Name a work tree/,
  },
  {
    what: 'a .git that is a file to nowhere',
    prepare: (root) => {
      forget(root);
      write(root, '.git', 'gitdir: /nowhere/at/all\n');
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'a HEAD to nowhere',
    prepare: (root) => write(root, '.git/HEAD', 'ref: refs/heads/nowhere\n'),
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'a damaged HEAD',
    prepare: (root) => write(root, '.git/HEAD', 'garbage\n'),
    code: 2,
    says: /git does not open the repository of .*\n {2}Repair the repository/,
  },
  {
    what: 'scripts that nest without end',
    prepare: (root) => {
      write(root, 'else.js', `${'if(a)x;else\n'.repeat(8000)}y\n`);
      write(root, 'arrows.js', `${'a=>\n'.repeat(16_000)}1\n`);
      write(root, 'sign.ts', `x=${'-\n'.repeat(32_000)}1\n`);
    },
    code: 4,
    says: /analyzer .*failed|its analyzer failed|oxlint/,
  },
  {
    what: 'a corrupt index',
    prepare: (root) => write(root, '.git/index', binary(300)),
    code: 2,
    says: /git ls-files .* failed in the audited folder .*\n {2}Repair the repository/,
  },
  {
    what: 'a corrupt git configuration',
    prepare: (root) => write(root, '.git/config', '[core\n\u001B[2J = '),
    code: 2,
    says: /git does not open the repository of .*bad config line.*\n {2}Repair the repository/,
  },
  {
    what: 'a git configuration that runs programs',
    prepare: (root) => {
      const run = `touch ${join(root, '..', 'home', 'was-run')}`;
      git(root, 'config', 'core.fsmonitor', run);
      git(root, 'config', 'core.pager', run);
      git(root, 'config', 'filter.x.clean', run);
      git(root, 'config', 'core.alternateRefsCommand', run);
      write(root, '.gitattributes', '* filter=x diff=x\n');
      write(root, 'dirty.md');
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: '.gitignore and .gitattributes that are folders',
    prepare: (root) => {
      for (const name of ['.gitignore', '.gitattributes']) {
        mkdirSync(join(root, name));
        write(root, `${name}/notes.md`);
      }
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'a .gitignore that is a link out of the root',
    prepare: (root) => symlinkSync('/etc/passwd', join(root, '.gitignore')),
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'a .gitignore that is a pipe, which git waits for',
    prepare: (root) => pipe(root, '.gitignore'),
    code: 2,
    says: /\.gitignore in the audited folder is no file, and git would wait for it/,
  },
  {
    what: 'the same without git',
    prepare: (root) => {
      forget(root);
      pipe(root, '.gitignore');
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'a submodule and a repository within',
    prepare: (root) => {
      mkdirSync(join(root, 'inner'));
      git(join(root, 'inner'), 'init', '--quiet');
      write(root, 'inner/notes.md');
      git(root, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`);
      mkdirSync(join(root, 'module'));
    },
    code: 0,
    says: COMPLETE,
  },
];

const FILES: readonly Tree[] = [
  {
    what: 'an empty folder',
    prepare: (root) => {
      forget(root);
      rmSync(join(root, 'notes.md'));
    },
    code: 2,
    says: /holds no files to audit/,
  },
  {
    what: 'only binary files',
    prepare: (root) => {
      rmSync(join(root, 'notes.md'));
      write(root, 'a.bin', binary(5000));
      write(root, 'b.js', binary(5000));
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'one line of 30 MB',
    prepare: (root) => write(root, 'long.js', Buffer.alloc(30_000_000, 'a')),
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'a file with a hole of 8 GB',
    prepare: (root) => {
      write(root, 'hole.js', '');
      truncateSync(join(root, 'hole.js'), 8_000_000_000);
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: '20,000 files',
    prepare: (root) => {
      mkdirSync(join(root, 'many'));
      for (let n = 0; n < 20_000; n += 1) write(root, `many/${n}.md`, `${n}\n`);
    },
    code: 0,
    says: COMPLETE,
  },
  { what: 'folders 500 deep', prepare: (root) => deep(root, 500), code: 0, says: COMPLETE },
  {
    what: 'folders 500 deep without git',
    prepare: (root) => {
      forget(root);
      deep(root, 500);
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'links in a circle and out of the root',
    prepare: (root) => {
      symlinkSync('b', join(root, 'a'));
      symlinkSync('a', join(root, 'b'));
      symlinkSync('..', join(root, 'up'));
      symlinkSync('/etc/passwd', join(root, 'out.md'));
      symlinkSync('/dev/zero', join(root, 'zero.js'));
      symlinkSync('.', join(root, 'self'));
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'pipes and sockets in the place of files',
    prepare: (root) => {
      pipe(root, 'pipe.js');
      pipe(root, 'package.json');
      pipe(root, 'tsconfig.json');
      pipe(root, 'notes.md');
      write(root, 'b.js', 'import "./pipe.js";\n');
      const socket = `require('net').createServer().listen('socket.js', () => process.exit())`;
      // Node removes its socket when it closes; an exit leaves it.
      execFileSync(process.execPath, ['-e', socket], { cwd: root });
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'names with newline, escape, backslash and a byte that is not UTF-8',
    prepare: (root) => {
      named(root, Buffer.from('new\nline.md'));
      named(root, Buffer.from('esc\u001B[2J.js'));
      named(root, Buffer.from('back\\slash.md'));
      named(root, Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x6d, 0x64]));
      named(root, Buffer.from('\u202Egnp.js'));
      named(root, Buffer.from('-rf'));
      named(root, Buffer.from('a'.repeat(255)));
      write(root, 'eval\u001B[31m.js', 'eval(x);\n');
    },
    args: ['--fail-on', 'none'],
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'files that look like ours',
    prepare: (root) => {
      forget(root);
      mkdirSync(join(root, '.casefile', 'audits'), { recursive: true });
      pipe(root, '.casefile/.gitignore');
    },
    code: 0,
    says: COMPLETE,
  },
  {
    what: 'a configuration that is a pipe',
    prepare: (root) => pipe(root, 'casefile.config.json'),
    code: 2,
    says: /casefile\.config\.json: it is no file/,
  },
  {
    what: 'a configuration that wants to choose the program',
    prepare: (root) =>
      write(root, 'casefile.config.json', '{"provider":"command","command":["sh","-c","id"]}'),
    code: 2,
    says: /command \(line 1\) is not for the repository to choose/,
  },
  {
    what: 'settings of other tools that would run code',
    prepare: (root) => {
      write(root, '.oxlintrc.json', '{"jsPlugins":["./plugin.js"],"extends":["./\\u0000"]}');
      write(root, 'plugin.js', `require('fs').writeFileSync('../home/was-run', '');\n`);
      write(root, '.secretlintrc.json', '{"rules":[{"id":"./plugin.js"}]}');
      write(root, 'tsconfig.json', '{"extends":"./tsconfig.json"}');
      write(root, 'package.json', '{"imports":{"#*":"./#*"},"exports":"./plugin.js"');
    },
    code: 0,
    says: COMPLETE,
  },
];

const rowsOf = (trees: readonly Tree[]): readonly (BadInputRow & { readonly tree: Tree })[] =>
  trees.map((tree) => ({
    ...tree,
    prepare: ({ root }) => tree.prepare(root),
    args: ['run', ...(tree.args ?? [])],
    tree,
  }));

/** Each in a place of its own; what is complete is then read by other commands. */
const expectTrees = async (trees: readonly Tree[]): Promise<void> => {
  const places = new Map<BadInputRow, Workplace>();
  try {
    await expectRows(
      rowsOf(trees).map((row) => ({
        ...row,
        after: async (place: Workplace) => {
          for (const command of row.code === 2 ? ['doctor'] : ['verify', 'log']) {
            const ended = await place.run(command);
            expectOrderly(ended, `${row.what}: ${command}`);
            if (row.code !== 2)
              expect([row.what, command, ended.code]).toEqual([row.what, command, 0]);
          }
        },
      })),
      async (row) => {
        const place = await createWorkplace({ 'notes.md': '# Notes\n' });
        places.set(row, place);
        return place;
      },
    );
  } finally {
    await Promise.all([...places.values()].map((place) => place.close()));
  }
};

test('a repository whose git data is odd, broken or hostile is audited as it is, or refused with what to do', () =>
  expectTrees(GIT_DATA));

test('a tree of odd, huge or hostile files is audited, and nothing in it is followed, waited for or run', () =>
  expectTrees(FILES));

// Root may read everything.
test.skipIf(process.getuid?.() === 0)(
  'a file and a folder that cannot be read are told, and the rest is audited',
  () =>
    expectTrees([
      {
        what: 'shut',
        prepare: (root) => {
          write(root, 'shut.md');
          chmodSync(join(root, 'shut.md'), 0o000);
          mkdirSync(join(root, 'closed'), { mode: 0o000 });
        },
        code: 0,
        says: COMPLETE,
      },
    ]),
);
