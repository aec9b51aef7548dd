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

type Layer = { readonly folder: string; readonly prefix: string; readonly rules: Ignore };

const createLayers = (layers: readonly Layer[]): IgnoreLayers => ({
  with: (folder, text) => {
    const prefix = folder === '' ? '' : `${folder}/`;
    const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(withoutMark(text));
    return createLayers([{ folder, prefix, rules }, ...layers]);
  },
  ignoring: (path) => {
    for (const { folder, prefix, rules } of layers) {
      const said = rules.test(path.slice(prefix.length));
      if (said.ignored) return folder;
      if (said.unignored) return undefined;
    }
    return undefined;
  },
});

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '');

export const NO_IGNORE_LAYERS: IgnoreLayers = createLayers([]);
