import { ELSEWHERE, MISSING, toFile, type Resolve, type TreeIndex } from './resolution.ts';
import { folderOf, foldersUp, joinPath, nameOf, nearest } from '../tree-paths.ts';

/** Folders that build files name as places for headers, nearly always. */
const INCLUDE_FOLDER = /^(?:include|includes|inc|src|source|lib|headers|public)$/i;

/**
 * Which folders headers are looked for in is told by build files that only their tools can read. So:
 * beside the file; in a usual include folder of a folder above; the only file of the tree that ends
 * like it; the nearest of several. In doubt there is no edge.
 */
export const createCResolver = (index: TreeIndex): Resolve => {
  const byName = new Map<string, string[]>();
  const includeFolders = new Map<string, Set<string>>();
  for (const path of index.files) {
    const name = nameOf(path);
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [path]);
    else known.push(path);
    for (let at = folderOf(path); at !== ''; at = folderOf(at)) {
      if (!INCLUDE_FOLDER.test(nameOf(at))) continue;
      const parent = folderOf(at);
      const found = includeFolders.get(parent);
      if (found?.has(at)) break;
      if (found === undefined) includeFolders.set(parent, new Set([at]));
      else found.add(at);
    }
  }

  const inIncludeFolder = (from: string, specifier: string): string | undefined => {
    for (const folder of foldersUp(folderOf(from))) {
      for (const place of [folder, ...(includeFolders.get(folder) ?? [])]) {
        const path = joinPath(place, specifier);
        if (path !== undefined && index.files.has(path)) return path;
      }
    }
    return undefined;
  };

  return (from, { specifier, form }) => {
    const isAngle = form === 'angle';
    const beside = isAngle ? undefined : joinPath(folderOf(from), specifier);
    if (beside !== undefined && index.files.has(beside)) return toFile(beside);
    const clean = specifier.replace(/^(?:\.\.?\/)+/, '');
    const ending = `/${clean}`;
    const fitting = (byName.get(nameOf(clean)) ?? []).filter(
      (path) => path === clean || path.endsWith(ending),
    );
    const namesSystem = SYSTEM_HEADER.test(specifier);
    if (fitting.length === 0) return isAngle || namesSystem ? ELSEWHERE : MISSING;
    // `<string.h>` is the system's, whoever else has one.
    const isSystem = isAngle && namesSystem;
    const included = inIncludeFolder(from, specifier);
    if (included !== undefined && !isSystem) {
      return toFile(included, { source: 'include-folder', confidence: 0.9 });
    }
    if (isSystem) return ELSEWHERE;
    const [only] = fitting;
    if (fitting.length === 1 && only !== undefined) {
      return toFile(only, { source: 'include-folder', confidence: isAngle ? 0.7 : 0.8 });
    }
    const path = nearest(from, fitting);
    return path === undefined ? ELSEWHERE : toFile(path, { source: 'nearest', confidence: 0.6 });
  };
};

/** Of the C and POSIX libraries, and C++'s without an ending. */
const SYSTEM_HEADER =
  /^(?:[a-z_]+|(?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|strings|tgmath|threads|time|uchar|wchar|wctype|unistd|fcntl|pthread|poll|dirent|dlfcn|getopt|glob|grp|pwd|netdb|regex|sched|semaphore|spawn|syslog|termios|utime|windows|sys\/\w+|net\/\w+|netinet\/\w+|arpa\/\w+|linux\/\w+|asm\/\w+|bits\/\w+)\.h)$/;
