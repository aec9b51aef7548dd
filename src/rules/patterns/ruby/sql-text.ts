import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeSql } from '../judge-sql.ts';

export const rubySqlText: CallRule = {
  ...SECURITY,
  id: 'ruby-sql-text',
  category: 'sql-injection',
  severity: 'high',
  confidence: 'high',
  message: 'An SQL statement is put together from data, which can change what the statement says.',
  help: 'Give values apart: where("name = ?", name), or where(name: name).',
  language: 'ruby',
  looksAt: 'calls',
  names: [
    'where',
    'find_by_sql',
    'execute',
    'select_all',
    'exec_query',
    'having',
    'not',
    'delete_all',
    'update_all',
    'count_by_sql',
    'query',
  ],
  judge: (call, file) =>
    judgeSql(call.at(0), file, {
      isCondition: /^(?:where|having|not|delete_all|update_all)$/.test(call.name),
    }),
};
