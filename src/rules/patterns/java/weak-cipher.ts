import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { WEAK_CIPHER } from '../weak-crypto.ts';

export const javaWeakCipher: CallRule = {
  ...SECURITY,
  id: 'java-weak-cipher',
  category: 'weak-crypto',
  severity: 'medium',
  confidence: 'high',
  message: 'The cipher is broken, or its mode shows which blocks are equal.',
  help: 'Use "AES/GCM/NoPadding" with a new nonce for each message.',
  language: 'java',
  looksAt: 'calls',
  names: ['getInstance'],
  judge: (call, file) =>
    /^(?:javax\.crypto\.)?Cipher$/.test(call.receiverText) &&
    WEAK_CIPHER.test(file.constantText(call.at(0)) ?? '')
      ? 'defect'
      : undefined,
};
