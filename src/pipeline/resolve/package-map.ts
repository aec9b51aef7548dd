import { bestPattern } from './patterns.ts';

/**
 * Where an `exports` or `imports` field leads, as Node walks it: the keys that are paths, then the
 * conditions in the order in which they are written.
 *
 * @param field the field's value as it is written; of an untrusted file, so of any shape.
 * @param name `.`, `./x` or `#x`.
 * @param takes which conditions hold.
 * @returns targets in order, each as written, with the star filled in. Empty where it says no.
 */
export const packageTargets = (
  field: unknown,
  name: string,
  takes: (condition: string) => boolean,
): readonly string[] => {
  const rules = rulesOf(field);
  const best = bestPattern(rules, name);
  return best === undefined ? [] : walk(best.rule, best.star, takes, 0);
};

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const rulesOf = (field: unknown): readonly (readonly [string, unknown])[] => {
  if (isFields(field) && Object.keys(field).some((key) => /^[.#]/.test(key))) {
    // A folder as it was once written, `./x/`, stands for all that is in it.
    return Object.entries(field).map(([key, value]) =>
      key.endsWith('/') && typeof value === 'string' ? [`${key}*`, `${value}*`] : [key, value],
    );
  }
  return field === undefined ? [] : [['.', field]];
};

const DEPTH_MAX = 20;

const walk = (
  rule: unknown,
  star: string,
  takes: (condition: string) => boolean,
  depth: number,
): readonly string[] => {
  if (typeof rule === 'string') return [rule.replaceAll('*', () => star)];
  if (depth > DEPTH_MAX) return [];
  if (Array.isArray(rule)) return rule.flatMap((inner) => walk(inner, star, takes, depth + 1));
  if (!isFields(rule)) return [];
  return Object.entries(rule)
    .filter(([condition]) => takes(condition))
    .flatMap(([, inner]) => walk(inner, star, takes, depth + 1));
};
