/**
 * What a pattern with at most one star makes of a name: the text for the star (empty without one), or
 * undefined where it does not fit.
 */
export const matchPattern = (pattern: string, name: string): string | undefined => {
  const star = pattern.indexOf('*');
  if (star === -1) return pattern === name ? '' : undefined;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  const fits =
    name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after);
  return fits ? name.slice(before.length, name.length - after.length) : undefined;
};

/** The pattern that says most about the name: itself, else the longest part before a star. */
export const bestPattern = <Rule>(
  rules: readonly (readonly [pattern: string, rule: Rule])[],
  name: string,
): { readonly rule: Rule; readonly star: string } | undefined => {
  let best: { readonly rule: Rule; readonly star: string } | undefined;
  let bestLength = -1;
  for (const [pattern, rule] of rules) {
    const star = matchPattern(pattern, name);
    if (star === undefined) continue;
    const length = pattern.includes('*') ? pattern.indexOf('*') : Infinity;
    if (length <= bestLength) continue;
    best = { rule, star };
    bestLength = length;
  }
  return best;
};
