/**
 * A path as answers in the form of the predecessor are compared: forward slashes, and one leading
 * `./` away. Nothing else is folded: what is still different is another path.
 */
export const normalizeCoveragePath = (path: string): string =>
  path.replaceAll('\\', '/').replace(/^\.\//, '');
