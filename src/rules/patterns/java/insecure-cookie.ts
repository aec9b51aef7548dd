import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const javaInsecureCookie: CallRule = {
  ...SECURITY,
  id: 'java-insecure-cookie',
  category: 'insecure-cookie',
  severity: 'low',
  confidence: 'high',
  message: 'The cookie goes over plain connections too, or scripts in the page can read it.',
  help: 'Set both flags to true.',
  language: 'java',
  looksAt: 'calls',
  names: ['setSecure', 'setHttpOnly'],
  judge: (call) =>
    /cookie/i.test(call.receiverText) && call.at(0)?.text() === 'false' ? 'defect' : undefined,
};
