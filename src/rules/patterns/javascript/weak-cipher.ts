import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { WEAK_CIPHER } from '../weak-crypto.ts';

export const javascriptWeakCipher: CallRule = {
  ...SECURITY,
  id: 'javascript-weak-cipher',
  category: 'weak-crypto',
  severity: 'medium',
  confidence: 'high',
  message: 'The cipher is broken, or its mode shows which blocks are equal.',
  help: 'Use "aes-256-gcm" with a new nonce for each message.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['createCipheriv', 'createDecipheriv', 'createCipher', 'createDecipher'],
  judge: (call, file) => {
    // Without a nonce the key comes from one round of MD5.
    if (/cipher$/i.test(call.name))
      return call.args.length >= 2 && /crypto/.test(file.text) ? 'defect' : undefined;
    return WEAK_CIPHER.test(file.constantText(call.at(0)) ?? '') ? 'defect' : undefined;
  },
};
