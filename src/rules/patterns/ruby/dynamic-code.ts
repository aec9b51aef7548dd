import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const rubyDynamicCode: CallRule = {
  ...SECURITY,
  id: 'ruby-dynamic-code',
  category: 'code-injection',
  severity: 'high',
  confidence: 'high',
  message: 'Text from a request is run as code, or names the class or method that is.',
  help: 'Look the wanted method up in a table.',
  language: 'ruby',
  looksAt: 'calls',
  names: [
    'eval',
    'instance_eval',
    'class_eval',
    'module_eval',
    'constantize',
    'send',
    'public_send',
  ],
  judge: (call, file) => {
    const code = call.name === 'constantize' ? call.receiver : call.at(0);
    if (code === undefined) return undefined;
    if (file.isFromRequest(code)) return 'defect';
    return call.name === 'eval' && call.receiver === undefined && !file.isConstant(code)
      ? 'doubtful'
      : undefined;
  },
};
