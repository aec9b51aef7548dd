import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { WEAK_CIPHER } from '../weak-crypto.ts';

export const rubyWeakCipher: CallRule = {
  ...SECURITY,
  id: 'ruby-weak-cipher',
  category: 'weak-crypto',
  severity: 'medium',
  confidence: 'high',
  message: 'The cipher is broken, or its mode shows which blocks are equal.',
  help: 'Use "aes-256-gcm" with a new nonce for each message.',
  language: 'ruby',
  looksAt: 'calls',
  names: ['new'],
  judge: (call, file) =>
    /^OpenSSL::Cipher(?:::Cipher)?$/.test(call.receiverText) &&
    WEAK_CIPHER.test(file.constantText(call.at(0)) ?? '')
      ? 'defect'
      : undefined,
};
