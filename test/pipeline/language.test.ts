import { describe, expect, test } from 'vitest';
import { createLanguageTable } from '../../src/pipeline/language.ts';
import { languagesOfRules } from '../../src/pipeline/language-heuristics.ts';

const table = createLanguageTable();

test.each([
  ['README.md', 'Markdown'],
  ['a.csproj', 'XML'],
  ['a.f', 'Fortran'],
  ['Jenkinsfile', 'Groovy'],
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
])('%s is %s by its name (W14)', (path, language) => {
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

describe('where languages share an extension the text decides', () => {
  test.each([
    [
      'a.h',
      '#ifndef A_H\n#define A_H\n#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void);\n',
      'C',
    ],
    ['a.h', '#pragma once\n#include <vector>\nint f();\n', 'C++'],
    ['a.h', '/* A class of things. */\nstruct a { int class_id; };\n', 'C'],
    ['a.h', 'namespace x {\n', 'C++'],
    ['a.h', 'template <typename T>\nT f();\n', 'C++'],
    ['a.h', '#import <UIKit/UIKit.h>\n@interface A : NSObject\n@end\n', 'Objective-C'],
    ['a.m', '#import "A.h"\n@implementation A\n@end\n', 'Objective-C'],
    ['a.m', 'function y = f(x)\n% Doubles x.\ny = 2 * x;\nend\n', 'MATLAB'],
    ['a.m', '(* A package *)\nBeginPackage["A`"]\n', 'Wolfram Language'],
    ['a.pl', 'use strict;\nmy $x = 1;\n', 'Perl'],
    ['a.pl', 'parent(ann, bob).\nolder(X, Y) :- parent(X, Y).\n', 'Prolog'],
    ['a.pl', ':- module(a, []).\n', 'Prolog'],
    ['a.pm', 'use v6;\nunit class A;\n', 'Raku'],
    ['a.t', 'use Test::More;\nuse strict;\n', 'Perl'],
    ['a.ts', '<!DOCTYPE TS>\n<TS version="2.1">\n', 'XML'],
    ['a.ts', '<TS>\n', 'XML'],
    ['a.ts', 'export const a = <T>(x: T) => x;\n', 'TypeScript'],
    ['a.md', ';; Machine description\n(define_insn "x")\n', 'Markdown'],
    ['a.v', 'module counter(input clk);\nendmodule\n', 'Verilog'],
    ['a.v', 'Require Import List.\nTheorem t : True.\nProof.\n', 'Rocq Prover'],
    ['a.v', 'module main\n\nfn main() {\n}\n', 'V'],
    ['a.cls', '\\NeedsTeXFormat{LaTeX2e}\n', 'TeX'],
    ['a.cls', 'public class A { }\n', 'Apex'],
    ['a.inc', '<?php\necho 1;\n', 'PHP'],
    ['a.inc', '#ifndef X\n#define X 1\n', 'C++'],
    ['a.d', 'main.o: main.c main.h\n', 'Makefile'],
    ['a.d', 'module a;\nimport std.stdio;\n', 'D'],
    ['a.rs', 'fn main() {}\n', 'Rust'],
    ['a.r', 'x <- c(1, 2)\n', 'R'],
    ['a.pro', 'TEMPLATE = app\nSOURCES += main.cpp\n', 'QMake'],
    ['a.fs', 'module A\nlet x = 1\n', 'F#'],
    ['a.fs', '#version 300 es\nprecision mediump float;\n', 'GLSL'],
    ['a.sql', 'CREATE TABLE a (b INT);\n', 'SQL'],
  ])('%s that says %j is %s', (path, head, language) => {
    expect(table.languageOf(path, head)).toBe(language);
  });

  test('every language that a rule may name is one of linguist for that extension', () => {
    for (const [extension, language] of languagesOfRules()) {
      expect(table.named(language), `${extension}: ${language}`).toBe(language);
    }
  });
});

describe('what a file states for editors', () => {
  test.each([
    ['tool', '#!/bin/sh\n# -*- mode: ruby -*-\n', '', 'Ruby'],
    ['a.inc', '// -*- C++ -*-\n', '', 'C++'],
    ['a.h', '/* -*- Mode: C++; tab-width: 2 -*- */\n', '', 'C++'],
    ['a.txt', '', 'last\n# vim: set ft=python sw=4:\n', 'Python'],
    ['a.conf', '# vim: ft=nginx\n', '', 'Nginx'],
    ['a.js', '// about vim: ft=none-such\n', '', 'JavaScript'],
    [
      'a.js',
      `${'\n'.repeat(9)}# vim: ft=python\n${'x\n'.repeat(9)}`,
      'x\n'.repeat(9),
      'JavaScript',
    ],
  ])('%s with %j and %j is %s', (path, head, tail, language) => {
    expect(table.languageOf(path, head, tail)).toBe(language);
  });

  test('names and aliases are known in any case', () => {
    expect(['python', 'CPP', 'golang', 'no such'].map(table.named)).toEqual([
      'Python',
      'C++',
      'Go',
      undefined,
    ]);
  });
});
