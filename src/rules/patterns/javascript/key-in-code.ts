import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const javascriptKeyInCode: CallRule = {
  ...SECURITY,
  id: 'javascript-key-in-code',
  category: 'hard-coded-secret',
  severity: 'medium',
  confidence: 'high',
  message: 'The key that signs tokens stands in the code: whoever can read it can sign.',
  help: 'Take it from the environment or from a store of secrets.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['sign', 'verify'],
  judge: (call, file) => {
    if (!/^(?:jwt|jsonwebtoken|JWT)$/.test(call.receiverText)) return undefined;
    const key = file.constantText(call.at(1)) ?? '';
    return key !== '' && !key.includes('-----BEGIN PUBLIC') ? 'defect' : undefined;
  },
};
