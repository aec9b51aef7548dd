import type { RuntimeVerdict } from '../../domain/runtime-check.ts';
import { printable } from '../../std/printable.ts';

/** How a command ended. */
export type CommandEnd =
  | { readonly kind: 'done'; readonly exitCode: number; readonly output: string }
  /** It was not started; `why` is a clause. */
  | { readonly kind: 'missing'; readonly why: string }
  | { readonly kind: 'timed-out'; readonly afterMs: number }
  /** A signal, too much output, or casefile itself. */
  | { readonly kind: 'ended'; readonly message: string };

/**
 * What the end of a command says of the project. That something is missing on this machine says nothing,
 * whatever the exit code: a test runner that is not installed fails as a test does (W74).
 */
export const commandVerdict = (
  end: CommandEnd,
): { readonly verdict: RuntimeVerdict; readonly why: string } => {
  switch (end.kind) {
    case 'missing':
      return { verdict: 'notRun', why: printable(end.why, 200) };
    case 'timed-out':
      return {
        verdict: 'inconclusive',
        why: `it was ended after ${Math.round(end.afterMs / 1000)} s`,
      };
    case 'ended':
      return { verdict: 'inconclusive', why: `it was ended: ${printable(end.message, 200)}` };
    case 'done': {
      if (end.exitCode === 0) return { verdict: 'passed', why: 'it ended with code 0' };
      if (ENDED_BY_OTHERS.has(end.exitCode)) {
        return { verdict: 'inconclusive', why: `it was ended (code ${end.exitCode})` };
      }
      const missing = missingPart(end);
      return missing === undefined
        ? { verdict: 'failed', why: `it ended with code ${end.exitCode}` }
        : { verdict: 'notRun', why: missing };
    }
  }
};

/** What shells make of SIGINT, SIGKILL (often for want of memory) and SIGTERM. */
const ENDED_BY_OTHERS: ReadonlySet<number> = new Set([130, 137, 143]);

const missingPart = ({
  exitCode,
  output,
}: Extract<CommandEnd, { kind: 'done' }>): string | undefined => {
  // A shell found no such program, or must not run it.
  if (exitCode === 126 || exitCode === 127) return 'a program that it needs is not there';
  const line = output.split('\n').find((one) => LACKS.some((lack) => lack.test(one)));
  return line === undefined
    ? undefined
    : `something that it needs is not there: ${printable(line.trim(), 200)}`;
};

/** What tools say when they miss others, a line each. Files of the project itself are named with a dot or slash. */
const LACKS: readonly RegExp[] = [
  /command not found|: not found$|is not recognized as an internal or external command/,
  /Cannot find (?:module|package) '(?![./])[^']+'/,
  /No module named '?(?:pytest|tox|nox|unittest2)\b/,
  /^collected 0 items|^no tests ran\b/,
  /no required module provides package|missing go\.sum entry|dial tcp|cannot find module providing package/,
  /failed to (?:download|get `)|no matching package named|can't find crate for/,
  /Could not resolve (?:all )?(?:dependencies|artifact|plugin)|Cannot access \S+ .*offline mode/i,
  /No cached version of .* available for offline mode/,
  /Could not find gem|bundler: command not found|Could not locate Gemfile/,
  /Failed opening required '[^']*vendor\/autoload\.php'/,
  /NETSDK1004|It was not possible to find any (?:compatible|installed)/,
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|ERR_PNPM_|Couldn't find the binary|error: script "[^"]*" not found/,
];
