/**
 * Paths as tools write them, made comparable: forward slashes, no `.` and `..` within. A drive or a share
 * of Windows stands as a first folder of an absolute path.
 */
export type ReportedPath = { readonly isAbsolute: boolean; readonly segments: readonly string[] };

/** Undefined for a path that leads out of where it begins, has a control character, or names nothing. */
export const reportedPath = (given: string): ReportedPath | undefined => {
  if (given.length > LENGTH_MAX || /\p{Cc}/u.test(given)) return undefined;
  const path = isWindows(given) ? given.replaceAll('\\', '/') : given;
  const isAbsolute = path.startsWith('/') || /^[a-z]:\//i.test(path);
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.length === 0 ? undefined : { isAbsolute, segments };
};

const LENGTH_MAX = 4096;

/** A drive, a share, or backslashes alone: elsewhere a backslash may be part of a name. */
const isWindows = (path: string): boolean =>
  /^[a-z]:[\\/]/i.test(path) ||
  path.startsWith('\\\\') ||
  (path.includes('\\') && !path.includes('/'));

/** The path that a URI names; undefined when it is no file's. What is not percent-encoded well is taken as it stands. */
export const pathOfUri = (uri: string): string | undefined => {
  // One letter before a colon is a drive that somebody did not write as a URI.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'file') return undefined;
  const path = scheme === undefined ? uri : uri.slice('file:'.length).replace(/^\/\/[^/]*/, '');
  const decoded = percentDecoded(path);
  // `/C:/work` of a URI is `C:/work` of the system.
  return decoded.replace(/^\/(?=[a-z]:\/)/i, '');
};

const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
