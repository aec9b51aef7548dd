import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SettingValues } from '../domain/config-merge.ts';
import type { ProviderId } from '../domain/vocabulary.ts';
import { UsageError } from '../domain/usage-error.ts';
import type { Clock } from '../platform/clock.ts';
import type { Disk } from '../platform/disk.ts';
import { readNamedFile } from '../platform/read-regular-file.ts';
import { createProcessAttemptRunner } from '../platform/process-attempt-runner.ts';
import { createBuiltinProvider } from '../providers/builtin.ts';
import { createCommandProvider } from '../providers/command.ts';
import type { Provider } from '../providers/provider.ts';
import { createHandoffProvider } from '../providers/handoff.ts';
import { createScriptedProvider } from '../providers/scripted.ts';
import { readTranscript } from '../providers/transcript.ts';
import { commandWords, isJsonCommand } from './command-line.ts';

/** What a provider needs besides its name; it belongs to the call and never stands in the log. */
export type ProviderFlags = Pick<SettingValues, 'command' | 'passEnv' | 'parallel'> & {
  readonly transcript?: string | undefined;
  readonly planOnly?: boolean | undefined;
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
      if (flags.command === undefined && flags.planOnly !== true) {
        throw new UsageError(
          'The provider "command" needs the program to run.',
          "Give it with --command 'node /path/to/reviewer.mjs {prompt} {answer}'. It is not kept in the log, so each call names it. To audit without an agent: --provider builtin",
        );
      }
      return createCommandProvider({
        // A plan starts nothing, so it can do without.
        command: flags.command === undefined ? ['nothing'] : await splitCommand(flags.command),
        width: flags.parallel,
        environment: environmentOf(flags.passEnv ?? []),
        runner: createProcessAttemptRunner({ disk, clock }),
        disk,
      });
    case 'handoff':
      return createHandoffProvider();
    case 'scripted': {
      if (flags.transcript === undefined && flags.planOnly === true) {
        return createEmptyScript(clock);
      }
      if (flags.transcript === undefined) {
        throw new UsageError(
          'The provider "scripted" needs a transcript.',
          'Give it with --transcript FILE.',
        );
      }
      const bytes = await readNamedFile(flags.transcript, TRANSCRIPT_BYTES_MAX).catch(
        (error: unknown) => {
          throw new UsageError(
            `The transcript ${flags.transcript} cannot be read: ${String(error)}`,
            'Name a transcript file.',
          );
        },
      );
      const text = Buffer.from(bytes).toString('utf8');
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
      throw new UsageError(
        `This version has no adapter for "${id}".`,
        'Use --provider command with a program of yours, or the bundled analyzers (--provider builtin).',
      );
  }
};

/** Transcripts hold whole answers; more than this nobody has recorded. */
const TRANSCRIPT_BYTES_MAX = 500_000_000;

/** A script that nobody gave: nothing starts with it, and what an earlier one started is lost. */
const createEmptyScript = (clock: Clock): Provider => ({
  ...createScriptedProvider({
    transcript: { contract: 'casefile/transcript/v1', steps: [] },
    clock,
  }),
  run: async () => ({ end: { kind: 'lost' } }),
});

const splitCommand = async (text: string): Promise<readonly string[]> => {
  const words = await commandWords(text);
  if (words === undefined) {
    throw new UsageError(
      isJsonCommand(text)
        ? '--command begins like a JSON array, and is none of strings.'
        : `--command has a quote that is not closed: ${text}`,
      `Write it as words (--command 'node /path/to/reviewer.mjs {prompt}') or as ["node", "/path/to/reviewer.mjs", "{prompt}"].`,
    );
  }
  await refuseRelativeFiles(words);
  return words;
};

/** A worker stands in its attempt's own folder: a file of the caller's folder is not found there. */
const refuseRelativeFiles = async (words: readonly string[]): Promise<void> => {
  for (const word of words.slice(1)) {
    if (word.startsWith('-') || word.startsWith('/') || word.includes('{')) continue;
    const found = await stat(resolve(word)).catch(() => undefined);
    if (found?.isFile() !== true) continue;
    throw new UsageError(
      `The program runs in a folder of its own and would not find "${word}" there.`,
      `Write the whole path: ${resolve(word)}`,
    );
  }
};

const environmentOf = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.map((name) => {
      const value = process.env[name];
      if (value !== undefined) return [name, value];
      throw new UsageError(
        `--pass-env names ${name}, which is not set here.`,
        `Set it, or leave it out.`,
      );
    }),
  );
