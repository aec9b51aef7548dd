import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const phpDynamicCode: CallRule = {
  ...SECURITY,
  id: 'php-dynamic-code',
  category: 'code-injection',
  severity: 'high',
  confidence: 'high',
  message: 'Text that is put together at run time is run as code.',
  help: 'Look the wanted function up in a table; read data with json_decode.',
  language: 'php',
  looksAt: 'calls',
  names: ['eval', 'create_function', 'assert'],
  judge: (call, file) => {
    const code = call.at(call.name === 'create_function' ? 1 : 0);
    if (code === undefined || call.receiver !== undefined || file.isConstant(code))
      return undefined;
    if (file.isFromRequest(code)) return 'defect';
    return call.name === 'assert' ? undefined : 'doubtful';
  },
};
