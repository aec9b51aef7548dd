import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const pythonInsecureCookie: CallRule = {
  ...SECURITY,
  id: 'python-insecure-cookie',
  category: 'insecure-cookie',
  severity: 'low',
  confidence: 'high',
  message: 'The cookie goes over plain connections too, or scripts in the page can read it.',
  help: 'Set secure=True and httponly=True.',
  language: 'python',
  looksAt: 'calls',
  names: ['set_cookie'],
  judge: (call) =>
    call.named('secure')?.text() === 'False' || call.named('httponly')?.text() === 'False'
      ? 'defect'
      : undefined,
};
