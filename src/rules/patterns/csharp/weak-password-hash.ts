import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { PASSWORD } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const csharpWeakPasswordHash: CallRule = {
  ...SECURITY,
  id: 'csharp-weak-password-hash',
  category: 'weak-crypto',
  severity: 'high',
  confidence: 'medium',
  message:
    'A password goes into a digest that is made to be fast: whoever gets the digests finds the passwords.',
  help: 'Use Rfc2898DeriveBytes.Pbkdf2 or a PasswordHasher.',
  language: 'csharp',
  looksAt: 'calls',
  names: [
    'Create',
    'HashData',
    'MD5CryptoServiceProvider',
    'SHA1CryptoServiceProvider',
    'SHA1Managed',
  ],
  judge: (call, file) => {
    if (call.name === 'HashData')
      return /^(?:MD5|SHA1|SHA256)$/.test(call.receiverText) && PASSWORD.test(shortText(call.at(0)))
        ? 'defect'
        : undefined;
    if (call.name === 'Create' && !/(?:^|\.)(?:MD5|SHA1)$/.test(call.receiverText))
      return undefined;
    return file.isGuarded(call.node, PASSWORD) ? 'defect' : undefined;
  },
};
