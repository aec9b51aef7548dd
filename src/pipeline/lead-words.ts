import type { Lead } from '../domain/finding.ts';

/** The title of the finding that a lead becomes. */
export const leadTitle = ({ message }: Pick<Lead, 'message'>): string => cut(message, TITLE_MAX);

/** The category of the finding that a lead becomes. */
export const leadCategory = ({ category, rule }: Pick<Lead, 'category' | 'rule'>): string =>
  cut(category ?? rule, CATEGORY_MAX);

/** The contract's limits. */
const TITLE_MAX = 300;
const CATEGORY_MAX = 100;

/** The beginning of a text, without blanks around it. */
export const cut = (text: string, length: number): string => text.trim().slice(0, length).trim();
