/**
 * The language that a file states for editors, in the words of Emacs (`-*- mode: ruby -*-`, in one
 * of its first lines) or Vim (`vim: set ft=ruby:`, in its first or last lines). A mode is a name
 * that linguist may know or not; `undefined` when nothing is stated.
 */
export const modeOf = (head: string, tail: string): string | undefined => {
  // Nearly every file has neither, and one look tells.
  const top = head.slice(0, LINES * LINE_CHARACTERS);
  if (!top.includes('-*-') && !MENTIONS_VIM.test(top) && !MENTIONS_VIM.test(tail)) {
    return undefined;
  }
  const first = linesOf(top).slice(0, LINES);
  const last = linesOf(tail).slice(-LINES);
  return (
    firstOf(first.slice(0, EMACS_LINES), emacsMode) ??
    firstOf(first, vimMode) ??
    firstOf(last, vimMode)
  );
};

const LINES = 5;
/** The first, or the second after a shebang. */
const EMACS_LINES = 2;
const LINE_CHARACTERS = 300;

const MENTIONS_VIM = /(?:^|\s)(?:vi|vim|ex):/;

const linesOf = (text: string): readonly string[] =>
  text
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => line.slice(0, LINE_CHARACTERS));

const firstOf = (
  lines: readonly string[],
  read: (line: string) => string | undefined,
): string | undefined => {
  for (const line of lines) {
    const mode = read(line);
    if (mode !== undefined) return mode;
  }
  return undefined;
};

/** `-*- ruby -*-`, or `mode:` among other settings. */
const emacsMode = (line: string): string | undefined => {
  const start = line.indexOf('-*-');
  const end = line.indexOf('-*-', start + 3);
  if (start === -1 || end === -1) return undefined;
  const settings = line.slice(start + 3, end).trim();
  return /^[\w+#-]+$/.test(settings)
    ? settings
    : /(?:^|;)\s*mode\s*:\s*([\w+#-]+)/i.exec(settings)?.[1];
};

const vimMode = (line: string): string | undefined => {
  const settings = /(?:^|\s)(?:vi|vim|ex):\s*(.*)/.exec(line)?.[1];
  return settings === undefined
    ? undefined
    : /(?:^|[\s:])(?:ft|filetype|syntax)\s*=\s*([\w+#-]+)/.exec(settings)?.[1];
};
