import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { readRegularFile } from '../platform/read-regular-file.ts';

/** The bytes of a configuration file as text, or why there are none. */
export type FileText =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  /** A printable clause after "it": "is a folder". */
  | { readonly kind: 'refused'; readonly why: string };

/** In the audited root. */
export const REPOSITORY_FILE = 'casefile.config.json';
export const PACKAGE_FILE = 'package.json';
export const PACKAGE_KEY = 'casefile';
/** Of the predecessor. */
export const SESSION_FILE = 'session-config.json';

/** Places in the audited tree where the predecessor kept its configuration. They are never read. */
export const UNREAD_FILES: readonly string[] = [
  SESSION_FILE,
  `.audit-artifacts/${SESSION_FILE}`,
  `.artifacts/${SESSION_FILE}`,
];

/** The user's configuration folder. A relative XDG_CONFIG_HOME means nothing, as its rules say. */
export const userFolder = (): string => {
  const given = process.env['XDG_CONFIG_HOME'];
  return join(given && isAbsolute(given) ? given : join(homedir(), '.config'), 'casefile');
};
export const userFile = (): string => join(userFolder(), 'config.json');
export const userSessionFile = (): string => join(userFolder(), SESSION_FILE);

const BYTES_MAX = 1_000_000;

/**
 * Reads a small text file. Never throws.
 *
 * @param isTrusted the user's own files may be links (people keep them elsewhere); the repository's
 *   may not, since a link could show any file of the machine.
 */
export const readSettingsFile = async (path: string, isTrusted: boolean): Promise<FileText> => {
  const refused = (why: string): FileText => ({ kind: 'refused', why });
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink() && !isTrusted)
      return refused('is a link, and links are not followed');
    const real = isTrusted ? await realpath(path) : path;
    const stat = isTrusted ? await lstat(real) : found;
    if (stat.isDirectory()) return refused('is a folder');
    if (!stat.isFile()) return refused('is no file');
    if (stat.size > BYTES_MAX)
      return refused(`has ${stat.size} bytes; settings have less than 1 MB`);
    return textOf(await readRegularFile(real));
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      // A link to nothing is not nothing: something was meant to be there.
      return (await isThere(path)) ? refused('is a link to nothing') : { kind: 'absent' };
    }
    return refused(`cannot be read (${code})`);
  }
};

const textOf = (bytes: Uint8Array): FileText => {
  try {
    // A byte-order mark is dropped by the decoder.
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { kind: 'refused', why: 'is not UTF-8' };
  }
};

/** Whether anything at all stands there. */
export const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
