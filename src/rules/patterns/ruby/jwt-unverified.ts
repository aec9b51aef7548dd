import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const rubyJwtUnverified: CallRule = {
  ...SECURITY,
  id: 'ruby-jwt-unverified',
  category: 'jwt-verification',
  severity: 'high',
  confidence: 'high',
  message: 'The token is believed without its signature: anybody can write one.',
  help: 'Give the key, true, and the algorithm that you sign with.',
  language: 'ruby',
  looksAt: 'calls',
  names: ['decode'],
  judge: (call, file) =>
    call.receiverText === 'JWT' &&
    (call.at(2)?.text() === 'false' || file.constantText(call.named('algorithm')) === 'none')
      ? 'defect'
      : undefined,
};
