import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { judgeSql } from '../judge-sql.ts';
import { shortText } from '../short-text.ts';

export const csharpSqlCommandText: NodeRule = {
  ...SECURITY,
  id: 'csharp-sql-command-text',
  category: 'sql-injection',
  severity: 'high',
  confidence: 'high',
  message: 'An SQL statement is put together from data, which can change what the statement says.',
  help: 'Leave @name in the statement, and add a parameter for each value.',
  language: 'csharp',
  looksAt: 'nodes',
  kinds: ['assignment_expression'],
  mentions: ['CommandText'],
  judge: (node, file) =>
    /(?:^|\.)CommandText$/.test(shortText(node.field('left')))
      ? judgeSql(node.field('right') ?? undefined, file)
      : undefined,
};
