import type { z } from 'zod';
import { issuePath } from '../../domain/schema-issue.ts';
import { createLeftOut, type LeftOut } from './left-out.ts';

/**
 * Reads a list of others item by item: one that has not the form it must have is left out and said,
 * the rest are taken.
 *
 * @param where what the list is called in the report: `runs[0].results`.
 * @param read gives what is made of an item, or why it is left out.
 */
export const readItems = <Item, Read>(
  list: readonly unknown[],
  schema: z.ZodType<Item>,
  where: string,
  read: (item: Item) => readonly Read[] | string,
): { readonly items: readonly Read[]; readonly leftOut: LeftOut } => {
  const items: Read[] = [];
  const leftOut = createLeftOut();
  for (const [index, one] of list.entries()) {
    const parsed = schema.safeParse(one);
    const taken = parsed.success ? read(parsed.data) : issueReason(parsed.error.issues[0]);
    if (typeof taken === 'string') leftOut.add(taken, `${where}[${index}]`);
    else for (const item of taken) items.push(item);
  }
  return { items, leftOut: leftOut.list() };
};

/** Without the value, so that equal mistakes are counted together. */
const issueReason = (issue: z.core.$ZodIssue | undefined): string => {
  const path = issuePath(issue?.path ?? []).replaceAll(/\[\d+\]/g, '[]');
  return `${path === '' ? 'it' : `"${path}"`} is not as it must be: ${issue?.message ?? 'unknown'}`;
};
