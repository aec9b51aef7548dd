import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readFolder } from '../helpers/graph-oracle.ts';
import { graphOf, shownEdges } from '../helpers/import-graph-of.ts';

const REPOS = 'fixtures/repos';

/** Each `imports-<language>` folder has its edges beside it, written by hand, one a line. */
const fixtures = readdirSync(REPOS)
  .filter((name) => name.endsWith('.edges'))
  .map((name) => name.replace('.edges', ''));

describe('every form of import leads where a person says it does', () => {
  test.each(fixtures)('in %s (W25, W26)', async (name) => {
    const graph = await graphOf(readFolder(`${REPOS}/${name}`, /./));
    const unresolved = graph.unresolved.map(
      ({ path, line, specifier }) => `unresolved ${path}:${line} ${specifier}`,
    );
    const expected = readFileSync(`${REPOS}/${name}.edges`, 'utf8').trim().split('\n');
    expect([...shownEdges(graph), ...unresolved]).toEqual(expected);
  });
});

test.each(fixtures)('every edge leads from a file to a file, in %s (W47)', async (name) => {
  const files = readFolder(`${REPOS}/${name}`, /./);
  const { edges } = await graphOf(files);
  expect(edges.length).toBeGreaterThan(0);
  expect(edges.filter(({ from, to }) => !(from in files) || !(to in files))).toEqual([]);
});

/** What imports are followed in, with the endings that tell it. */
const LANGUAGES = {
  JavaScript: /\.[cm]?js$/,
  TypeScript: /\.tsx?$/,
  Vue: /\.vue$/,
  Svelte: /\.svelte$/,
  Python: /\.py$/,
  Go: /\.go$/,
  Java: /\.java$/,
  Kotlin: /\.kt$/,
  'C#': /\.cs$/,
  Rust: /\.rs$/,
  Ruby: /\.rb$/,
  PHP: /\.php$/,
  C: /\.c$/,
  'C++': /\.(?:cc|cpp|hpp)$/,
};

test.each(Object.entries(LANGUAGES))('%s files have edges of their own (W25, W46)', (_, ending) => {
  const written = fixtures.flatMap((name) =>
    readFileSync(`${REPOS}/${name}.edges`, 'utf8').trim().split('\n'),
  );
  const from = written.map((line) => line.slice(0, line.indexOf(':')));
  expect(from.filter((path) => ending.test(path)).length).toBeGreaterThan(0);
});

/** Files that name a neighbour in comments and texts, and need another one. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  'x.ts':
    "// import './no.ts';\n/* export * from './no.ts' */\nconst a = `import './no.ts'`;\nimport './yes.ts';\n",
  'x.js':
    "// require('./no.js')\nconst a = \"require('./no.js')\";\nconst b = /require('.\\/no.js')/;\nrequire('./yes.js');\n",
  'x.py': '# import no\nA = "import no"\n"""\nimport no\n"""\nimport yes\n',
  'x.rb':
    "# require_relative 'no'\nA = \"require_relative 'no'\"\n=begin\nrequire_relative 'no'\n=end\nrequire_relative 'yes'\n",
  'x.c':
    '// #include "no.h"\n/*\n#include "no.h"\n*/\nconst char *a = "#include \\"no.h\\"";\n#include "yes.h"\n',
  'x.cpp':
    '// #include "no.h"\n/*\n#include "no.h"\n*/\nconst char *a = R"(\n#include "no.h"\n)";\n#include "yes.h"\n',
  'x.php':
    "<?php\n// require 'no.php';\n# require 'no.php';\n$a = \"require 'no.php'\";\nrequire __DIR__ . '/yes.php';\n",
  'mod.rs': '// mod no;\n/* mod no; */\nconst A: &str = "mod no;";\nmod yes;\n',
};

test.each(Object.entries(LOOKALIKES))(
  'in %s what stands in a comment or in a text is no import (W27)',
  async (path, text) => {
    const ending = path.replace(/^[^.]*/, '').replace(/^\.c(?:pp)?$/, '.h');
    const graph = await graphOf({ [path]: text, [`no${ending}`]: '', [`yes${ending}`]: '' });
    expect(graph.edges.map(({ to }) => to)).toEqual([`yes${ending}`]);
    expect(graph.unresolved).toEqual([]);
  },
);

/** Of languages whose imports name packages or types, and not files. */
const NAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'x/X.java': {
    'x/X.java':
      '// import p.No;\n/* import p.No; */\nimport p.Yes;\nclass X { String a = "import p.No;"; Yes y; }\n',
    'p/No.java': 'package p;\npublic class No {}\n',
    'p/Yes.java': 'package p;\npublic class Yes {}\n',
  },
  'x/X.kt': {
    'x/X.kt':
      '// import p.No\n/* import p.No */\nimport p.Yes\nval a = "import p.No"\nval y = Yes()\n',
    'p/No.kt': 'package p\nclass No\n',
    'p/Yes.kt': 'package p\nclass Yes\n',
  },
  'x/X.cs': {
    'x/X.cs':
      '// using No;\n/* using No; */\nusing Yes;\nclass X { string a = "using No;"; B b; }\n',
    'n/No.cs': 'namespace No { class A {} }\n',
    'y/Yes.cs': 'namespace Yes { class B {} }\n',
  },
  'x/x.go': {
    'go.mod': 'module m\n\ngo 1.22\n',
    'x/x.go':
      'package x\n\n// import "m/no"\n/* import "m/no" */\nimport "m/yes"\n\nvar a = `import "m/no"`\nvar b = yes.B\n',
    'no/no.go': 'package no\n\nvar A = 1\n',
    'yes/yes.go': 'package yes\n\nvar B = 1\n',
  },
};

test.each(Object.entries(NAMED))(
  'in %s what stands in a comment or in a text names no package (W27)',
  async (path, files) => {
    const graph = await graphOf(files);
    const needed = graph.edges.filter(({ from }) => from === path).map(({ to }) => to);
    expect(needed).toEqual([expect.stringMatching(/yes\.\w+$/i)]);
  },
);
