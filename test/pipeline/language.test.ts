import { expect, test } from 'vitest';
import { createLanguageTable } from '../../src/pipeline/language.ts';

const table = await createLanguageTable();

test.each([
  ['README.md', 'Markdown'],
  ['a.ts', 'TypeScript'],
  ['a.d.ts', 'TypeScript'],
  ['a.tsx', 'TSX'],
  ['a.jsx', 'JavaScript'],
  ['a.mjs', 'JavaScript'],
  ['a.yml', 'YAML'],
  ['a.yaml', 'YAML'],
  ['a.rs', 'Rust'],
  ['a.h', 'C'],
  ['a.hpp', 'C++'],
  ['a.cs', 'C#'],
  ['a.sql', 'SQL'],
  ['a.html', 'HTML'],
  ['a.php', 'PHP'],
  ['a.pl', 'Perl'],
  ['a.py', 'Python'],
  ['a.go', 'Go'],
  ['a.kt', 'Kotlin'],
  ['a.vue', 'Vue'],
  ['a.txt', 'Text'],
  ['A.PY', 'Python'],
  ['deep/Dockerfile', 'Dockerfile'],
  ['Makefile', 'Makefile'],
  ['package-lock.json', 'JSON'],
  ['tsconfig.json', 'JSON with Comments'],
  ['a.html.erb', 'HTML+ERB'],
  ['a.unheardof', 'Unknown'],
  ['noname', 'Unknown'],
])('%s is %s by its name', (path, language) => {
  expect(table.languageOf(path, '')).toBe(language);
});

test.each([
  ['tool', '#!/usr/bin/env node\n', 'JavaScript'],
  ['tool', '#!/usr/bin/env -S deno run\n', 'TypeScript'],
  ['tool', '#!/bin/sh\n', 'Shell'],
  ['tool', '#! /usr/bin/python3.11 -u\n', 'Python'],
  ['tool.cgi', '#!/usr/bin/python\n', 'Python'],
  ['tool.ts', '#!/usr/bin/env node\n', 'TypeScript'],
  ['tool.py', '#!/bin/sh\n', 'Python'],
  ['strings.ts', '<?xml version="1.0"?>\n<TS>', 'XML'],
])('%s that starts with %j is %s', (path, head, language) => {
  expect(table.languageOf(path, head)).toBe(language);
});
