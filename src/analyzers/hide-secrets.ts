import type { Lead } from '../domain/finding.ts';
import { HARDCODED_SECRET } from '../pipeline/analyzer-reports/weaknesses.ts';
import type { SafeQuotes } from './secrets.ts';

/**
 * Takes secrets out of what leads quote: an unused variable may stand on the same line as the password that
 * it holds. What is a secret, our own search says; and of a line that another tool calls one, what stands
 * before its value.
 */
export const hideSecrets = (leads: readonly Lead[], safeQuotes: SafeQuotes): readonly Lead[] => {
  const told = new Set(
    leads
      .filter(({ category }) => category === HARDCODED_SECRET)
      .flatMap(({ place: { path, line, endLine } }) => {
        const last = Math.min(endLine ?? line, line + SECRET_LINES_MAX);
        return Array.from({ length: Math.max(1, last - line + 1) }, (_, more) =>
          keyOf(path, line + more),
        );
      }),
  );
  return leads.map((found) => {
    const { path, line } = found.place;
    const safe = safeQuotes.get(path)?.get(line);
    if (safe !== undefined) return { ...found, quote: safe };
    return told.has(keyOf(path, line)) ? { ...found, quote: beforeValue(found.quote) } : found;
  });
};

/** A key of many lines is quoted by none of them; more lines than this no secret has. */
const SECRET_LINES_MAX = 200;

const keyOf = (path: string, line: number): string => `${line} ${path}`;

/** The name that gets a value, and nothing of the value; of a line without a name, nothing. */
const beforeValue = (quote: string): string => /^[^=:"'`]*[=:]/.exec(quote)?.[0].trim() ?? '';
