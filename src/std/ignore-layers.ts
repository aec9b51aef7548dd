import ignore, { type Ignore } from 'ignore';

/** What the audit is to leave alone, besides what git ignores; in any folder. */
export const IGNORE_FILE = '.casefileignore';

/**
 * Ignore files (`.gitignore` syntax) of a folder and of the folders around it, as one set of rules.
 * The innermost file that says anything about a path decides, as in git; a path in an ignored folder
 * is ignored with it, whatever an inner file says.
 */
export type IgnoreLayers = {
  /** The same with one more file. @param folder the one it lies in: `''`, or `a/b`. */
  readonly with: (folder: string, text: string) => IgnoreLayers;
  /**
   * Whether the path itself is ignored, folders around it not asked; by which folder's file.
   *
   * @param path relative to the root; a folder's ends with a slash.
   */
  readonly ignoring: (path: string) => string | undefined;
};

type Layer = { readonly folder: string; readonly lines: readonly string[]; readonly alone: Ignore };

/** @param layers the innermost first. */
const createLayers = (layers: readonly Layer[]): IgnoreLayers => {
  // As one list, since a folder that an inner file takes back is taken back for all that is in it.
  const all = rulesOf(layers.toReversed().flatMap(({ lines }) => lines));
  return {
    with: (folder, text) => {
      const lines = text
        .replace(/^\uFEFF/, '')
        .split(/\r?\n/)
        .flatMap((line) => patternIn(folder, line));
      return createLayers([{ folder, lines, alone: rulesOf(lines) }, ...layers]);
    },
    ignoring: (path) =>
      all.ignores(path) ? layers.find(({ alone }) => alone.ignores(path))?.folder : undefined,
  };
};

const rulesOf = (lines: readonly string[]): Ignore =>
  ignore({ ignorecase: false, allowRelativePaths: true }).add(lines);

/** A line of the file in a folder, as it would have to stand in one at the root. */
const patternIn = (folder: string, line: string): readonly string[] => {
  if (line.trim() === '' || line.startsWith('#')) return [];
  if (folder === '') return [line];
  const isTakenBack = line.startsWith('!');
  const pattern = isTakenBack ? line.slice(1) : line;
  const isAnchored = /\/(?=.*\S)/.test(pattern);
  const below = isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`;
  return [`${isTakenBack ? '!' : ''}/${literal(folder)}/${below}`];
};

/** A folder's name may hold what stands for something else in a pattern. */
const literal = (folder: string): string => folder.replaceAll(/[\\*?[\]!# ]/g, '\\$&');

export const NO_IGNORE_LAYERS: IgnoreLayers = createLayers([]);
