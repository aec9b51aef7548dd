import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Where a program is found: by its name in the folders of PATH, or by its path. It is not started.
 * Relative folders of PATH are passed over: what they hold depends on where casefile was started.
 *
 * @param path usually `process.env.PATH`.
 * @returns the absolute path, or undefined.
 */
export const findProgram = (name: string, path: string | undefined): string | undefined => {
  if (name.includes('/')) return isAbsolute(name) && isExecutable(name) ? name : undefined;
  if (name === '') return undefined;
  return (path ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find(isExecutable);
};

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};
