import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeSql } from '../judge-sql.ts';

export const pythonSqlText: CallRule = {
  ...SECURITY,
  id: 'python-sql-text',
  category: 'sql-injection',
  severity: 'high',
  confidence: 'high',
  message: 'An SQL statement is put together from data, which can change what the statement says.',
  help: 'Leave placeholders in the statement, and give the values to the driver as parameters.',
  language: 'python',
  looksAt: 'calls',
  names: ['execute', 'executemany', 'executescript', 'raw'],
  judge: (call, file) => judgeSql(call.at(0), file),
};
