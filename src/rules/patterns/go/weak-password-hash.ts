import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { PASSWORD } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const goWeakPasswordHash: CallRule = {
  ...SECURITY,
  id: 'go-weak-password-hash',
  category: 'weak-crypto',
  severity: 'high',
  confidence: 'high',
  message:
    'A password goes into a digest that is made to be fast: whoever gets the digests finds the passwords.',
  help: 'Use bcrypt, scrypt or argon2, with a salt for each password.',
  language: 'go',
  looksAt: 'calls',
  names: ['Sum', 'Sum256', 'Sum512', 'WriteString'],
  judge: (call) =>
    /^(?:md5|sha1|sha256|sha512)$/.test(call.receiverText) && PASSWORD.test(shortText(call.at(0)))
      ? 'defect'
      : undefined,
};
