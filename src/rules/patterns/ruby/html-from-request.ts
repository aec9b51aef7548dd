import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';

export const rubyHtmlFromRequest: CallRule = {
  ...SECURITY,
  id: 'ruby-html-from-request',
  category: 'xss',
  severity: 'high',
  confidence: 'medium',
  message: 'What a request says comes into the page as it is: a value with a script in it runs.',
  help: 'Leave escaping on, or use sanitize.',
  language: 'ruby',
  looksAt: 'calls',
  names: ['html_safe', 'raw'],
  judge: (call, file) =>
    judgeRequestData(call.name === 'raw' ? call.at(0) : call.receiver, file, /sanitize|escape|h\(/),
};
