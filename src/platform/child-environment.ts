/**
 * The environment of a child is built, not inherited: what a program needs to find itself, its user,
 * the language and the way to the network. Everything else (keys of other services, `GIT_*`,
 * `NODE_OPTIONS`, the variables of an agent that casefile itself runs under) reaches a child only
 * when somebody gives it by name.
 */
const INHERITED: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  // Behind a proxy or a private certificate an agent reaches nothing without these.
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
]);

export type Environment = Readonly<Record<string, string>>;

/**
 * The allowed part of `own` and, over it, what is `given`; undefined takes a variable away.
 *
 * @param own usually `process.env`.
 */
export const childEnvironment = (
  given: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string | undefined>>,
): Environment => {
  const allowed = Object.entries(own).filter(
    ([name]) => INHERITED.has(name) || name.startsWith('LC_'),
  );
  const merged = Object.entries({ ...Object.fromEntries(allowed), ...given });
  return Object.fromEntries(
    merged.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
};
