/**
 * Whether brackets in a text nest deeper than any person writes. The parser goes down with the nesting
 * on the stack of the process and takes the process with it when that ends, so such a text is not
 * given to it. Brackets in strings and comments count too: being unsure is no harm at this depth.
 */
export const nestsTooDeep = (text: string): boolean => {
  // Most texts have too few of them for that, and the engine counts faster than any loop here.
  if (countOf(text, '(') + countOf(text, '[') + countOf(text, '{') <= DEPTH_MAX) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // The codes of ( [ { and of ) ] }.
    if (code === 40 || code === 91 || code === 123) {
      depth += 1;
      if (depth > DEPTH_MAX) return true;
    } else if (depth > 0 && (code === 41 || code === 93 || code === 125)) depth -= 1;
  }
  return false;
};

const countOf = (text: string, bracket: string): number => {
  let count = 0;
  for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) count += 1;
  return count;
};

/** A third of what the parser was seen to take. */
const DEPTH_MAX = 1000;
