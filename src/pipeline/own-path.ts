import { joinPath } from './tree-paths.ts';

/**
 * The path among a task's own that a stated one means beyond doubt: written with `./`, backslashes,
 * percent signs, in another letter case, or as it lies in the folder that the worker was given.
 * Undefined for every other path, above all for one that leads out of the tree: nothing is opened by
 * a path that an answer names.
 *
 * @param roots folders of this machine in which the files lie, with forward slashes.
 */
export const ownPath = (
  stated: string,
  own: readonly string[],
  roots: readonly string[],
): string | undefined => {
  if (own.includes(stated)) return stated;
  for (const form of formsOf(stated, roots)) {
    if (own.includes(form)) return form;
    const folded = foldCase(form);
    const [only, ...more] = own.filter((path) => foldCase(path) === folded);
    if (only !== undefined && more.length === 0) return only;
  }
  return undefined;
};

/** As it stands, and decoded if it can be. */
const formsOf = (stated: string, roots: readonly string[]): readonly string[] => {
  const decoded = /%[0-9a-f]{2}/i.test(stated) ? decodedOr(stated) : stated;
  return [...new Set([stated, decoded])].flatMap((text) => {
    const slashes = text.trim().replaceAll('\\', '/');
    const root = roots.find((one) => slashes.startsWith(`${one}/`));
    const relative = root === undefined ? slashes : slashes.slice(root.length + 1);
    if (relative.startsWith('/') || /^[a-z]:/i.test(relative) || relative.includes('\0')) return [];
    return joinPath('', relative) ?? [];
  });
};

const decodedOr = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const foldCase = (path: string): string => path.normalize('NFC').toLowerCase();
