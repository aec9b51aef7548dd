/**
 * Text of the repository, put into a prompt as data. Names and quotes are JSON strings of one line, in
 * which all that could end the line, act, hide or close a fence is escaped; and a fence is longer than
 * any run of backticks within it, whoever made the lines.
 */

/** A JSON string without control, format or private characters, line separators or runs of backticks. */
export const quoteText = (text: string): string => {
  const quoted = JSON.stringify(text);
  // Most names are plain, and a plan quotes each of them many times.
  if (PLAIN.test(quoted) && !quoted.includes('```')) return quoted;
  return quoted.replace(/`{3,}|[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
};

const PLAIN = /^[ -~]*$/;

/** Lines between fences. @param kind what stands behind the opening one, a word of ours. */
export const fenced = (lines: readonly string[], kind: string): readonly string[] => {
  let longest = 2;
  for (const line of lines) {
    for (const run of line.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  }
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${kind}`, ...lines, fence];
};
