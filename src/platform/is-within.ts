import { relative } from 'node:path';

/** Whether `path` is `folder` or below it. */
export const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith('../') && !way.startsWith('/'));
};
