import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const javaScriptFromData: CallRule = {
  ...SECURITY,
  id: 'java-script-from-data',
  category: 'code-injection',
  severity: 'high',
  confidence: 'high',
  message: 'Text from a request is run as an expression.',
  help: 'Look the wanted operation up in a table; evaluate in SimpleEvaluationContext.',
  language: 'java',
  looksAt: 'calls',
  names: ['eval', 'parseExpression', 'compileExpression'],
  judge: (call, file) => {
    const code = call.at(0);
    return code !== undefined && file.isFromRequest(code) ? 'defect' : undefined;
  },
};
