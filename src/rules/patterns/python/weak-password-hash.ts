import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { WEAK_HASH, PASSWORD } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const pythonWeakPasswordHash: CallRule = {
  ...SECURITY,
  id: 'python-weak-password-hash',
  category: 'weak-crypto',
  severity: 'high',
  confidence: 'high',
  message:
    'A password goes into a digest that is made to be fast: whoever gets the digests finds the passwords.',
  help: 'Use argon2, scrypt or bcrypt, with a salt for each password.',
  language: 'python',
  looksAt: 'calls',
  names: ['md5', 'sha1', 'sha256', 'new'],
  judge: (call, file) => {
    if (call.receiverText !== 'hashlib' || call.named('usedforsecurity') !== undefined)
      return undefined;
    const isNamed = call.name === 'new';
    if (isNamed && !WEAK_HASH.test(file.constantText(call.at(0)) ?? '')) return undefined;
    return PASSWORD.test(shortText(call.at(isNamed ? 1 : 0))) ? 'defect' : undefined;
  },
};
