import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const goWeakCipher: CallRule = {
  ...SECURITY,
  id: 'go-weak-cipher',
  category: 'weak-crypto',
  severity: 'medium',
  confidence: 'high',
  message: 'The cipher is broken.',
  help: 'Use AES-GCM (cipher.NewGCM) or chacha20poly1305.',
  language: 'go',
  looksAt: 'calls',
  names: ['NewCipher', 'NewTripleDESCipher'],
  judge: (call) => (/^(?:des|rc4)$/.test(call.receiverText) ? 'defect' : undefined),
};
