import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeSql } from '../judge-sql.ts';

export const phpSqlText: CallRule = {
  ...SECURITY,
  id: 'php-sql-text',
  category: 'sql-injection',
  severity: 'high',
  confidence: 'high',
  message: 'An SQL statement is put together from data, which can change what the statement says.',
  help: 'Prepare the statement with ? or :name, and bind the values.',
  language: 'php',
  looksAt: 'calls',
  names: [
    'query',
    'exec',
    'prepare',
    'mysqli_query',
    'mysql_query',
    'pg_query',
    'executeQuery',
    'executeStatement',
    'multi_query',
    'mysqli_multi_query',
    'raw',
    'select',
    'statement',
    'get_results',
    'get_row',
    'get_var',
  ],
  judge: (call, file) =>
    judgeSql(
      call.at(/^(?:mysqli_\w*|pg_)query$/.test(call.name) && call.args.length > 1 ? 1 : 0),
      file,
    ),
};
