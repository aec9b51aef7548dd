import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { WEAK_CIPHER } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const javascriptConstantNonce: CallRule = {
  ...SECURITY,
  id: 'javascript-constant-nonce',
  category: 'weak-crypto',
  severity: 'medium',
  confidence: 'high',
  message: 'Each message is encrypted with the same nonce, so what is equal in two of them shows.',
  help: 'Use crypto.randomBytes for each message, and keep it beside the text.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['createCipheriv'],
  judge: (call, file) => {
    const nonce = call.at(2);
    if (nonce === undefined || WEAK_CIPHER.test(file.constantText(call.at(0)) ?? ''))
      return undefined;
    const isConstant =
      (file.constantText(nonce) ?? '') !== '' ||
      /^Buffer\.(?:alloc\(\d+(?:,\d+)?\)|from\(['"][^'"]*['"](?:,['"]\w+['"])?\))$/.test(
        shortText(nonce),
      );
    return isConstant ? 'defect' : undefined;
  },
};
