import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { WEAK_HASH, PASSWORD } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const javaWeakPasswordHash: CallRule = {
  ...SECURITY,
  id: 'java-weak-password-hash',
  category: 'weak-crypto',
  severity: 'high',
  confidence: 'medium',
  message:
    'A password goes into a digest that is made to be fast: whoever gets the digests finds the passwords.',
  help: 'Use Argon2, scrypt, bcrypt or PBKDF2, with a salt for each password.',
  language: 'java',
  looksAt: 'calls',
  names: ['getInstance', 'md5Hex', 'sha1Hex', 'md5DigestAsHex'],
  judge: (call, file) => {
    if (call.name !== 'getInstance')
      return PASSWORD.test(shortText(call.at(0))) ? 'defect' : undefined;
    if (
      call.receiverText !== 'MessageDigest' ||
      !WEAK_HASH.test(file.constantText(call.at(0)) ?? '')
    )
      return undefined;
    return file.isGuarded(call.node, PASSWORD) ? 'defect' : undefined;
  },
};
