/** Words as a POSIX shell takes them: quoted where that is needed. */
export const commandLine = (words: readonly string[]): string =>
  words
    .map((word) =>
      /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(' ');
