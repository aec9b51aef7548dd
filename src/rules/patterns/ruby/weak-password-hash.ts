import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { PASSWORD } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const rubyWeakPasswordHash: CallRule = {
  ...SECURITY,
  id: 'ruby-weak-password-hash',
  category: 'weak-crypto',
  severity: 'high',
  confidence: 'high',
  message:
    'A password goes into a digest that is made to be fast: whoever gets the digests finds the passwords.',
  help: 'Use bcrypt (has_secure_password) or argon2.',
  language: 'ruby',
  looksAt: 'calls',
  names: ['hexdigest', 'digest', 'base64digest'],
  judge: (call) =>
    /^(?:OpenSSL::)?Digest::(?:MD5|SHA1|SHA256|SHA512)$/.test(call.receiverText) &&
    PASSWORD.test(shortText(call.at(0)))
      ? 'defect'
      : undefined,
};
