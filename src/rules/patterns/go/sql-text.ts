import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeSql } from '../judge-sql.ts';
import { shortText } from '../short-text.ts';

export const goSqlText: CallRule = {
  ...SECURITY,
  id: 'go-sql-text',
  category: 'sql-injection',
  severity: 'high',
  confidence: 'high',
  message: 'An SQL statement is put together from data, which can change what the statement says.',
  help: 'Leave ? or $1 in the statement, and give the values as arguments.',
  language: 'go',
  looksAt: 'calls',
  names: [
    'Query',
    'QueryRow',
    'Exec',
    'QueryContext',
    'QueryRowContext',
    'ExecContext',
    'Prepare',
    'PrepareContext',
    'Raw',
    'Queryx',
    'Get',
    'Select',
    'MustExec',
  ],
  judge: (call, file) =>
    judgeSql(
      call.at(
        call.name.endsWith('Context') ||
          /^(?:ctx|r\.Context\(\)|context\.\w+\(\))$/.test(shortText(call.at(0))) ||
          /^(?:Get|Select)$/.test(call.name)
          ? 1
          : 0,
      ),
      file,
    ),
};
