import { createPathMatcher } from '../analyzer-reports/match-paths.ts';
import { compareText } from '../../std/canonical-json.ts';

/** Files of the audit that a text of another program names, the most often named first. */
export const namedPaths = (text: string, files: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const [word] of text.slice(-TEXT_MAX).matchAll(PATH)) {
    const path = word.replace(/^file:\/\//, '');
    counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const words = [...counts].toSorted((left, right) => right[1] - left[1]).slice(0, WORDS_MAX);
  const matched = createPathMatcher(files)(words.map(([word]) => word));
  const named = new Map<string, number>();
  for (const [word, count] of words) {
    const match = matched.get(word);
    if (match?.kind !== 'matched') continue;
    named.set(match.path, (named.get(match.path) ?? 0) + count);
  }
  return [...named]
    .toSorted((left, right) => right[1] - left[1] || compareText(left[0], right[0]))
    .map(([path]) => path);
};

const TEXT_MAX = 1 << 20;
const WORDS_MAX = 500;

/** Words with an extension; folders before it are part of it. */
const PATH = /[\w@.+~/\\-]{1,400}\.[A-Za-z][A-Za-z0-9]{0,7}\b/g;
