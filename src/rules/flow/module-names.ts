/** Packages that give what a module of the platform gives, or a function of it. */
const SAME_AS: Readonly<Record<string, string>> = {
  'fs/promises': 'fs',
  'fs-extra': 'fs',
  'graceful-fs': 'fs',
  'mz/fs': 'fs',
  'fs-promise': 'fs',
  'pn/fs': 'fs',
  'path/posix': 'path',
  'path/win32': 'path',
  upath: 'path',
  'mz/child_process': 'child_process',
  'child-process-promise': 'child_process',
  'child-process-es6-promise': 'child_process',
  'promisify-child-process': 'child_process',
  'async-child-process': 'child_process',
  'child_process-promise': 'child_process',
  'cross-spawn': 'child_process.spawn',
  'cross-spawn-promise': 'child_process.spawn',
  spawno: 'child_process.spawn',
  'async-execute': 'child_process.exec',
  'exec-sh': 'child_process.exec',
  'promised-exec': 'child_process.exec',
  'promise-exec': 'child_process.exec',
  'exec-promise': 'child_process.exec',
  'await-exec': 'child_process.exec',
  'shell-exec': 'child_process.exec',
  'execute-command': 'child_process.exec',
  sync_exec: 'child_process.exec',
  'sync-exec': 'child_process.exec',
  execSync: 'child_process.exec',
};

/** `node:fs/promises` is `fs`; a relative module is `file:` and what was written. */
export const moduleApi = (specifier: string): string => {
  if (specifier.startsWith('.') || specifier.startsWith('/')) return `file:${specifier}#`;
  const name = specifier.replace(/^node:/, '').replace(/\/$/, '');
  return SAME_AS[name] ?? name;
};

/** A member of what an API gives. */
export const memberApi = (api: string, name: string): string | undefined => {
  if (api.length > API_LENGTH_MAX) return undefined;
  if (name === 'default' || (api === 'fs' && name === 'promises')) return api;
  if (api === 'path' && (name === 'posix' || name === 'win32')) return api;
  return api.endsWith('#') ? `${api}${name}` : `${api}.${name}`;
};

const API_LENGTH_MAX = 200;
