import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { PASSWORD } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const phpWeakPasswordHash: CallRule = {
  ...SECURITY,
  id: 'php-weak-password-hash',
  category: 'weak-crypto',
  severity: 'high',
  confidence: 'high',
  message:
    'A password goes into a digest that is made to be fast: whoever gets the digests finds the passwords.',
  help: 'Use password_hash and password_verify.',
  language: 'php',
  looksAt: 'calls',
  names: ['md5', 'sha1', 'hash'],
  judge: (call, file) => {
    if (call.receiver !== undefined) return undefined;
    const data = call.at(call.name === 'hash' ? 1 : 0);
    const isPassword = data !== undefined && PASSWORD.test(shortText(data));
    return isPassword && !file.isConstant(data) ? 'defect' : undefined;
  },
};
