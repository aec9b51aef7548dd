import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const javascriptJwtUnverified: CallRule = {
  ...SECURITY,
  id: 'javascript-jwt-unverified',
  category: 'jwt-verification',
  severity: 'high',
  confidence: 'high',
  message: 'The token is believed without a signature: anybody can write one.',
  help: 'Give the key and the list of algorithms that you sign with.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['verify', 'sign'],
  judge: (call) => {
    if (!/^(?:jwt|jsonwebtoken|JWT)$/.test(call.receiverText)) return undefined;
    const said = shortText(call.at(2));
    return /algorithms?['"]?:\[?[^\]}]*['"]none['"]/i.test(said) ? 'defect' : undefined;
  },
};
