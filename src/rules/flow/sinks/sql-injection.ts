import { FROM_CALLERS, NONE, type SinkRule } from './sink.ts';

export const sqlInjection: SinkRule = {
  id: 'flow-sql-injection',
  category: 'sql-injection',
  lens: 'security',
  severity: 'high',
  confidence: 'medium',
  message: 'Data from outside becomes part of an SQL statement',
  help: 'Give the data as parameters of the statement.',
  sources: FROM_CALLERS,
  match: ({ name, isMember, given, nodes }) => {
    const [first] = given;
    if (!isMember || first === undefined || !QUERY.test(name ?? '')) return NONE;
    return isSql(nodes[0])
      ? [{ value: first, says: 'becomes part of an SQL statement', isComposedOnly: true }]
      : NONE;
  },
};

const QUERY =
  /^(?:query|execute|exec|run|all|get|each|prepare|raw|\$queryRawUnsafe|\$executeRawUnsafe)$/;
const WORDS =
  /\b(?:select\b[^]{0,400}?\bfrom|insert\s+into|update\b[^]{0,200}?\bset|delete\s+from|drop\s+table|create\s+table|alter\s+table|where\b[^]{0,100}?=)/i;

/** Whether the pieces of text in an expression are SQL. */
const isSql = (node: unknown): boolean => WORDS.test(textsIn(node).join(' '));

const textsIn = (root: unknown): readonly string[] => {
  const texts: string[] = [];
  const open: unknown[] = [root];
  for (let count = 0; open.length > 0 && count < 500; count += 1) {
    const at = open.shift();
    if (typeof at === 'string') texts.push(at);
    else if (Array.isArray(at)) open.push(...at);
    else if (typeof at === 'object' && at !== null) {
      for (const [name, value] of Object.entries(at)) {
        if (name !== 'type' && name !== 'name' && name !== 'raw') open.push(value);
      }
    }
  }
  return texts;
};
