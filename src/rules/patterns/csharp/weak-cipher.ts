import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const csharpWeakCipher: CallRule = {
  ...SECURITY,
  id: 'csharp-weak-cipher',
  category: 'weak-crypto',
  severity: 'medium',
  confidence: 'high',
  message: 'The cipher is broken.',
  help: 'Use AesGcm.',
  language: 'csharp',
  looksAt: 'calls',
  names: [
    'Create',
    'DESCryptoServiceProvider',
    'TripleDESCryptoServiceProvider',
    'RC2CryptoServiceProvider',
  ],
  judge: (call) =>
    call.name !== 'Create' || /(?:^|\.)(?:DES|TripleDES|RC2)$/.test(call.receiverText)
      ? 'defect'
      : undefined,
};
