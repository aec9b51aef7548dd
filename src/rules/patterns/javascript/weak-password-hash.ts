import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { PASSWORD } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const javascriptWeakPasswordHash: CallRule = {
  ...SECURITY,
  id: 'javascript-weak-password-hash',
  category: 'weak-crypto',
  severity: 'high',
  confidence: 'high',
  message:
    'A password goes into a digest that is made to be fast: whoever gets the digests finds the passwords.',
  help: 'Use crypto.scrypt, argon2 or bcrypt, with a salt for each password.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['update', 'md5', 'sha1'],
  judge: (call) => {
    if (
      call.name === 'update' &&
      !/\bcreateHash\(['"](?:md5|sha-?1|sha256|sha512)['"]\)$/i.test(call.receiverText)
    )
      return undefined;
    return PASSWORD.test(shortText(call.at(0))) ? 'defect' : undefined;
  },
};
