import { realpath } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import type { z } from 'zod';
import { config, repositoryConfig, type Config, type RepositoryConfig } from '../domain/config.ts';
import { valuesOf, type Layer } from '../domain/config-merge.ts';
import type { SessionConfig } from '../domain/session-config.ts';
import { isTrackedByGit } from '../platform/git-source-tree.ts';
import {
  isThere,
  PACKAGE_FILE,
  PACKAGE_KEY,
  readSettingsFile,
  REPOSITORY_FILE,
  UNREAD_FILES,
  userFile,
  userSessionFile,
} from './configuration-files.ts';
import { commandProblem, wordsInFile } from './configuration-command.ts';
import { issuesOf } from './configuration-issues.ts';
import { readSession } from './configuration-session.ts';
import { parseSettingsText, type SettingsText } from './configuration-text.ts';
import { isWithin } from '../platform/is-within.ts';

/** A configuration file that was looked for, and what came of it. */
export type FileUse = {
  readonly source: 'user' | 'session-config' | 'repository';
  /** As people know it: relative to the root, or absolute outside of it. */
  readonly file: string;
  readonly use: 'read' | 'absent' | 'passed-over' | 'refused';
  readonly why?: string | undefined;
};

export type LoadedConfiguration = {
  /** What the user's files say, the strongest first. */
  readonly layers: readonly Layer[];
  readonly repository: RepositoryConfig | undefined;
  /** The predecessor's configuration as it was written. */
  readonly session: SessionConfig | undefined;
  readonly files: readonly FileUse[];
  /** Each names file, place, value and rule. With any of them nothing can be started. */
  readonly problems: readonly string[];
  /** What a run tells too, since it may be missed. */
  readonly notices: readonly string[];
  /** What is there and has no use: for doctor. */
  readonly unused: readonly string[];
};

/**
 * Reads the configuration that there is. Never throws for what stands in a file: all problems of all
 * files are told at once.
 *
 * @param root absolute, as `locate` gives it.
 * @param sessionFile of `--session-config`.
 */
export const loadConfiguration = async (
  root: string,
  sessionFile: string | undefined,
): Promise<LoadedConfiguration> => {
  const out: Findings = { layers: [], files: [], problems: [], notices: [], unused: [] };
  const named = sessionFile === undefined ? undefined : await namedSession(root, sessionFile, out);
  const hasUserFile = await loadUserFile(out);
  const found = await loadSessionInFolder(out, { isNamed: sessionFile !== undefined, hasUserFile });
  const repository = await loadRepository(root, out);
  await tellUnread(root, sessionFile, out);
  return { ...out, repository, session: named ?? found };
};

type Findings = {
  readonly layers: Layer[];
  readonly files: FileUse[];
  readonly problems: string[];
  readonly notices: string[];
  readonly unused: string[];
};

const loadUserFile = async (out: Findings): Promise<boolean> => {
  const file = userFile();
  const given = await settingsIn(file, { source: 'user', file }, true, out);
  if (given.kind !== 'read') return given.kind === 'refused';
  const parsed = config.safeParse(given.value, { reportInput: true });
  const problems = [...refusals(parsed, given, undefined)];
  // Looked at whatever else is wrong: all problems of a file are told at once.
  const command = commandIn(given.value);
  const problem = command === undefined ? undefined : await commandProblem(command);
  if (problem !== undefined)
    problems.push(`command (line ${given.lineOf(['command'])}) ${problem}`);
  settle({ source: 'user', file }, problems, out);
  if (problems.length > 0 || !parsed.success) return true;
  const words = command && (await wordsInFile(command));
  const values = valuesOf({ ...parsed.data, ...(words && { command: [...words] }) });
  out.layers.push({ source: 'user', values });
  return true;
};

const commandIn = (value: unknown): Config['command'] =>
  config.shape.command.safeParse(Object(value)['command']).data;

const namedSession = async (
  root: string,
  file: string,
  out: Findings,
): Promise<SessionConfig | undefined> => {
  const what = { source: 'session-config', file } as const;
  if (await cameWithRepository(root, file)) {
    const why = 'git tracks it in the audited tree, and a repository names no provider or program';
    out.files.push({ ...what, use: 'refused', why });
    out.problems.push(`${file} (--session-config): ${why}; copy it to ${userSessionFile()}`);
    return undefined;
  }
  if (!(await isThere(file))) {
    out.files.push({ ...what, use: 'absent' });
    out.problems.push(`${file} (--session-config): it does not exist`);
    return undefined;
  }
  return loadSession(file, out);
};

const cameWithRepository = async (root: string, file: string): Promise<boolean> => {
  // The root is without links, and a link from elsewhere must not hide where a file lies.
  const path = await realpath(file).catch(() => resolve(file));
  return isWithin(path, root) && (await isTrackedByGit(root, relative(root, path)));
};

const loadSessionInFolder = async (
  out: Findings,
  given: { readonly isNamed: boolean; readonly hasUserFile: boolean },
): Promise<SessionConfig | undefined> => {
  const file = userSessionFile();
  if (!given.isNamed && !given.hasUserFile) return loadSession(file, out);
  if (!(await isThere(file))) return undefined;
  const why = given.isNamed ? '--session-config names another' : `${userFile()} is there, and wins`;
  out.files.push({ source: 'session-config', file, use: 'passed-over', why });
  return undefined;
};

const loadSession = async (file: string, out: Findings): Promise<SessionConfig | undefined> => {
  const what = { source: 'session-config', file } as const;
  const given = await settingsIn(file, what, true, out);
  if (given.kind !== 'read') return undefined;
  const reading = await readSession(given.value);
  settle(what, reading.kind === 'refused' ? reading.problems : [], out);
  if (reading.kind === 'refused') return undefined;
  out.layers.push({ source: 'session-config', values: reading.values });
  if (reading.ignored.length > 0) {
    out.unused.push(`${file}: nothing here has a use for ${reading.ignored.join(', ')}.`);
  }
  if (reading.ignored.some((key) => key.endsWith('.env'))) {
    out.notices.push(
      `${file}: the variables of a template (env) are not passed on: set them, and name them with --pass-env.`,
    );
  }
  return reading.session;
};

const loadRepository = async (
  root: string,
  out: Findings,
): Promise<RepositoryConfig | undefined> => {
  const inPackage = await packageSettings(root, out);
  const what = { source: 'repository', file: REPOSITORY_FILE } as const;
  const own = await settingsIn(join(root, REPOSITORY_FILE), what, false, out);
  if (inPackage !== undefined && own.kind !== 'absent') {
    const why = `settings stand there and under "${PACKAGE_KEY}" in ${PACKAGE_FILE}: keep one`;
    out.problems.push(`${REPOSITORY_FILE}: ${why}`);
    for (const file of [REPOSITORY_FILE, PACKAGE_FILE]) {
      out.files.push({ source: 'repository', file, use: 'refused', why: 'both are there' });
    }
    return undefined;
  }
  const given = own.kind === 'read' ? own : inPackage;
  if (given === undefined) return undefined;
  const parsed = repositoryConfig.safeParse(given.value, { reportInput: true });
  const file = own.kind !== 'read' ? `${PACKAGE_FILE} ("${PACKAGE_KEY}")` : REPOSITORY_FILE;
  settle({ source: 'repository', file }, refusals(parsed, given, userFile()), out);
  return parsed.data;
};

/** Its one key; that it cannot be read is for others to complain of, but it is said. */
const packageSettings = async (root: string, out: Findings): Promise<Given | undefined> => {
  const found = await readSettingsFile(join(root, PACKAGE_FILE), false);
  if (found.kind === 'absent') return undefined;
  const unknown = (why: string): undefined => {
    const file = PACKAGE_FILE;
    out.files.push({ source: 'repository', file, use: 'passed-over', why });
    out.notices.push(`${file} ${why}: settings that it may hold for casefile are not known.`);
    return undefined;
  };
  if (found.kind === 'refused') return unknown(found.why);
  const read = parseSettingsText(found.text);
  if (read.kind === 'broken') {
    return found.text.includes(`"${PACKAGE_KEY}"`) ? unknown('is not whole JSON') : undefined;
  }
  const { value, lineOf } = read;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, PACKAGE_KEY)) {
    return undefined;
  }
  return {
    value: (value as Record<string, unknown>)[PACKAGE_KEY],
    lineOf: (path) => lineOf([PACKAGE_KEY, ...path]),
  };
};

/** The predecessor kept its configuration in the tree; here that would be the repository's word. */
const tellUnread = async (
  root: string,
  named: string | undefined,
  out: Findings,
): Promise<void> => {
  for (const file of UNREAD_FILES) {
    if (!(await isThere(join(root, file)))) continue;
    if (named !== undefined && relative(join(root, file), named) === '') continue;
    const why = `it lies in the audited tree; name it with --session-config, or copy it to ${userSessionFile()}`;
    out.files.push({ source: 'session-config', file, use: 'passed-over', why });
  }
};

type Given = Pick<Extract<SettingsText, { kind: 'read' }>, 'value' | 'lineOf'>;
type What = Pick<FileUse, 'source' | 'file'>;

/** The settings in a file. Where there are none, `out` has been told why. */
const settingsIn = async (
  path: string,
  what: What,
  isTrusted: boolean,
  out: Findings,
): Promise<({ readonly kind: 'read' } & Given) | { readonly kind: 'absent' | 'refused' }> => {
  const found = await readSettingsFile(path, isTrusted);
  if (found.kind === 'absent') {
    out.files.push({ ...what, use: 'absent' });
    return { kind: 'absent' };
  }
  const read: SettingsText =
    found.kind === 'refused'
      ? { kind: 'broken', problems: [`it ${found.why}`] }
      : parseSettingsText(found.text);
  if (read.kind === 'read') return read;
  settle(what, read.problems, out);
  return { kind: 'refused' };
};

const settle = (what: What, problems: readonly string[], out: Findings): void => {
  const isRefused = problems.length > 0;
  out.files.push({ ...what, use: isRefused ? 'refused' : 'read', why: problems[0] });
  out.problems.push(...problems.map((problem) => `${what.file}: ${problem}`));
};

const refusals = (
  parsed: z.ZodSafeParseResult<unknown>,
  { lineOf }: Given,
  userFileName: string | undefined,
): readonly string[] =>
  parsed.success ? [] : issuesOf(parsed.error.issues, { lineOf, userFile: userFileName });
