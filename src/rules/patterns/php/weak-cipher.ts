import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { WEAK_CIPHER } from '../weak-crypto.ts';

export const phpWeakCipher: CallRule = {
  ...SECURITY,
  id: 'php-weak-cipher',
  category: 'weak-crypto',
  severity: 'medium',
  confidence: 'high',
  message: 'The cipher is broken, or its mode shows which blocks are equal.',
  help: 'Use "aes-256-gcm" with a new nonce for each message.',
  language: 'php',
  looksAt: 'calls',
  names: ['openssl_encrypt', 'openssl_decrypt', 'mcrypt_encrypt'],
  judge: (call, file) =>
    call.name === 'mcrypt_encrypt' || WEAK_CIPHER.test(file.constantText(call.at(1)) ?? '')
      ? 'defect'
      : undefined,
};
