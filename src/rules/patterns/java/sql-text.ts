import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeSql } from '../judge-sql.ts';

export const javaSqlText: CallRule = {
  ...SECURITY,
  id: 'java-sql-text',
  category: 'sql-injection',
  severity: 'high',
  confidence: 'high',
  message: 'An SQL statement is put together from data, which can change what the statement says.',
  help: 'Use a PreparedStatement with ? for each value.',
  language: 'java',
  looksAt: 'calls',
  names: [
    'executeQuery',
    'executeUpdate',
    'execute',
    'executeLargeUpdate',
    'addBatch',
    'prepareStatement',
    'createQuery',
    'createNativeQuery',
    'queryForObject',
    'queryForList',
    'queryForMap',
    'query',
    'update',
    'batchUpdate',
  ],
  judge: (call, file) => judgeSql(call.at(0), file),
};
