import ignore from 'ignore';

/** Whose file it is; undefined when nobody is named. */
export type OwnersOf = (path: string) => readonly string[] | undefined;

/** Where the hosts look for it, in their order. */
export const OWNER_FILES = [
  '.github/CODEOWNERS',
  'CODEOWNERS',
  'docs/CODEOWNERS',
  '.gitlab/CODEOWNERS',
] as const;

/**
 * Reads a CODEOWNERS file: the last pattern that fits a path decides, as on the hosts that know it.
 * It is text that tells who may know more about a file; nothing is left out of an audit by it.
 */
export const createOwners = (text: string): OwnersOf => {
  const rules = text
    .split('\n')
    .slice(0, RULES_MAX)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim())
    // GitLab's sections and excepted patterns give no owner of their own.
    .filter((line) => line !== '' && !/^[[^!]/.test(line))
    .map((line) => {
      const [pattern = '', ...owners] = line.split(/(?<!\\)\s+/);
      const matcher = ignore({ ignorecase: false, allowRelativePaths: true }).add(
        // A pattern with a star at its end is not meant for what lies deeper: `docs/*`.
        pattern,
      );
      return { matcher, owners };
    })
    .toReversed();
  return (path) => rules.find(({ matcher }) => matcher.ignores(path))?.owners;
};

/** Each path is held against each rule. */
const RULES_MAX = 500;
