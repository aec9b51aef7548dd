/** Paths of the inventory: forward slashes, no leading one; the root folder is the empty string. */

export const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Undefined when it leads out of the root. The folder itself for an empty or dotted path. */
export const joinPath = (folder: string, path: string): string | undefined => {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
};

/** A path in a folder; the folder may be the root. */
export const within = (folder: string, path: string): string =>
  folder === '' ? path : `${folder}/${path}`;

export const isWithin = (folder: string, path: string): boolean =>
  folder === '' || path === folder || path.startsWith(`${folder}/`);

/** The folder and those around it, inner first, the root last. */
export const foldersUp = (folder: string): readonly string[] => {
  const folders: string[] = [];
  for (let at = folder; at !== ''; at = folderOf(at)) folders.push(at);
  return [...folders, ''];
};

/** How many folders two paths share from the root on. */
export const sharedDepth = (left: string, right: string): number => {
  let depth = 0;
  const end = Math.min(left.length, right.length);
  for (let at = 0; at < end && left[at] === right[at]; at += 1) if (left[at] === '/') depth += 1;
  return depth;
};

/**
 * The candidate that shares most folders with the path and, of those, is nearest to the shared one;
 * undefined when two are as near. Candidates are few: they are files of one name.
 */
export const nearest = (path: string, candidates: readonly string[]): string | undefined => {
  let best: string | undefined;
  let bestScore = -Infinity;
  let isTie = false;
  for (const candidate of candidates) {
    const shared = sharedDepth(path, candidate);
    const score = shared * 1000 - (depthOf(candidate) - shared);
    if (score === bestScore) isTie = true;
    if (score <= bestScore) continue;
    best = candidate;
    bestScore = score;
    isTie = false;
  }
  return isTie ? undefined : best;
};

export const depthOf = (path: string): number => {
  let depth = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
};
