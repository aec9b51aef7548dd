import { readFile } from 'node:fs/promises';
import type { ProviderId } from '../domain/vocabulary.ts';
import { UsageError } from '../domain/usage-error.ts';
import type { Clock } from '../platform/clock.ts';
import type { Disk } from '../platform/disk.ts';
import { createProcessAttemptRunner } from '../platform/process-attempt-runner.ts';
import { splitCommandLine } from '../platform/subprocess.ts';
import { createBuiltinProvider } from '../providers/builtin.ts';
import { createCommandProvider } from '../providers/command.ts';
import type { Provider } from '../providers/provider.ts';
import { createScriptedProvider } from '../providers/scripted.ts';
import { readTranscript } from '../providers/transcript.ts';

/** What a provider needs besides its name; it belongs to the call and never stands in the log. */
export type ProviderFlags = {
  readonly command?: string | undefined;
  readonly transcript?: string | undefined;
  readonly parallel?: number | undefined;
};

/** @throws {UsageError} when something that the provider needs was not given. */
export const createProvider = async (
  id: ProviderId,
  flags: ProviderFlags,
  { disk, clock }: { readonly disk: Disk; readonly clock: Clock },
): Promise<Provider> => {
  switch (id) {
    case 'builtin': {
      const builtin = createBuiltinProvider();
      if (flags.parallel === undefined) return builtin;
      const { account } = builtin;
      return { ...builtin, account: { ...account, ceiling: flags.parallel, source: 'declared' } };
    }
    case 'command':
      if (flags.command === undefined) {
        throw new UsageError(
          'The provider "command" needs the program to run.',
          "Give it with --command, for example --command 'node reviewer.mjs {prompt} {answer}'. It is not kept in the log, so each call names it.",
        );
      }
      return createCommandProvider({
        command: await splitCommand(flags.command),
        width: flags.parallel,
        runner: createProcessAttemptRunner({ disk, clock }),
        disk,
      });
    case 'scripted': {
      if (flags.transcript === undefined) {
        throw new UsageError(
          'The provider "scripted" needs a transcript.',
          'Give it with --transcript FILE.',
        );
      }
      const text = await readFile(flags.transcript, 'utf8').catch((error: unknown) => {
        throw new UsageError(
          `The transcript ${flags.transcript} cannot be read: ${String(error)}`,
          'Name a transcript file.',
        );
      });
      return createScriptedProvider({
        transcript: readTranscript(text, String(flags.transcript)),
        clock,
        width: flags.parallel,
      });
    }
    case 'claude-code':
    case 'codex':
    case 'opencode':
    case 'gemini':
    case 'handoff':
      throw new UsageError(
        `This version has no adapter for "${id}".`,
        'Use --provider command with a program of yours, or the bundled analyzers (--provider builtin).',
      );
  }
};

/** A JSON array of words, or words as in a shell but without one. */
const splitCommand = async (text: string): Promise<readonly string[]> => {
  if (!text.trimStart().startsWith('[')) {
    return splitCommandLine(text).catch(() => {
      throw new UsageError(
        `--command has a quote that is not closed: ${text}`,
        `Close it, or write the words as a JSON array: ["node", "reviewer.mjs", "{prompt}"].`,
      );
    });
  }
  try {
    const words: unknown = JSON.parse(text);
    if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  } catch {
    // Said below.
  }
  throw new UsageError(
    '--command begins like a JSON array, and is none of strings.',
    `Write it as words (--command 'node reviewer.mjs {prompt}') or as ["node", "reviewer.mjs", "{prompt}"].`,
  );
};
