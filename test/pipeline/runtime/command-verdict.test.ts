import { describe, expect, test } from 'vitest';
import { commandVerdict } from '../../../src/pipeline/runtime/command-verdict.ts';

const ended = (exitCode: number, output: string) =>
  commandVerdict({ kind: 'done', exitCode, output }).verdict;

describe('a command that ran', () => {
  test('has passed with exit code 0, whatever it wrote', () => {
    expect(ended(0, "warning: Cannot find module 'colors'\n")).toBe('passed');
  });

  test.each([
    ['an assertion', 'AssertionError: expected 1 to be 2\n    at src/pay.js:3:1'],
    ['a file of the project that it cannot find', "Error: Cannot find module './gone.js'"],
    ['a module of the project', "ModuleNotFoundError: No module named 'shop.cart'"],
    ['nothing at all', ''],
  ])('has failed when it says so: %s', (_, output) => {
    expect(ended(1, output)).toBe('failed');
  });
});

describe('a command of which something is missing was not run, and says nothing of the project (W74)', () => {
  test.each([
    [127, 'sh: 1: vitest: not found'],
    [126, ''],
    [1, 'sh: vitest: command not found'],
    [1, "'jest' is not recognized as an internal or external command,"],
    [1, "Error: Cannot find module 'mocha'\nRequire stack:"],
    [1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'tap' imported from /x/test.mjs"],
    [1, '/usr/bin/python3: No module named pytest'],
    [5, 'no tests ran in 0.01s'],
    [1, 'main.go:4:2: no required module provides package github.com/x/y; to add it:'],
    [101, 'error: no matching package named `serde` found'],
    [1, "Could not find gem 'rspec' in locally installed gems."],
    [1, 'error NETSDK1004: Assets file not found. Run a NuGet package restore'],
  ])('%i, %s', (exitCode, output) => {
    expect(ended(exitCode, `before\n${output}\nafter`)).toBe('notRun');
  });

  test('that could not be started, too', () => {
    expect(commandVerdict({ kind: 'missing', why: 'go is not there' })).toEqual({
      verdict: 'notRun',
      why: 'go is not there',
    });
  });
});

test('a command that was ended shows nothing either way', () => {
  expect(commandVerdict({ kind: 'timed-out', afterMs: 600_000 })).toEqual({
    verdict: 'inconclusive',
    why: 'it was ended after 600 s',
  });
  expect(commandVerdict({ kind: 'ended', message: 'SIGKILL' }).verdict).toBe('inconclusive');
  // As its shell tells it; that it broke by itself is its own fault.
  expect([137, 139].map((code) => ended(code, 'at work'))).toEqual(['inconclusive', 'failed']);
});
