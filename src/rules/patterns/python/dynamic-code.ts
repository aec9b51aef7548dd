import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const pythonDynamicCode: CallRule = {
  ...SECURITY,
  id: 'python-dynamic-code',
  category: 'code-injection',
  severity: 'high',
  confidence: 'high',
  message: 'Text that is put together at run time is run as code.',
  help: 'Read data with json or ast.literal_eval, or look functions up in a table.',
  language: 'python',
  looksAt: 'calls',
  names: ['eval', 'exec'],
  judge: (call, file) => {
    const code = call.at(0);
    if (call.receiver !== undefined && call.receiverText !== 'builtins') return undefined;
    if (code === undefined || file.isConstant(code)) return undefined;
    return file.isFromRequest(code) ? 'defect' : 'doubtful';
  },
};
