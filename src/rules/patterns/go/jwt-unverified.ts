import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const goJwtUnverified: CallRule = {
  ...SECURITY,
  id: 'go-jwt-unverified',
  category: 'jwt-verification',
  severity: 'high',
  confidence: 'high',
  message: 'The token is believed without its signature: anybody can write one.',
  help: 'Use Parse with a key, and require the algorithm that you sign with.',
  language: 'go',
  looksAt: 'calls',
  names: ['ParseUnverified', 'SignedString'],
  judge: (call) =>
    call.name === 'ParseUnverified' ||
    /SigningMethodNone|UnsafeAllowNoneSignatureType/.test(shortText(call.at(0)))
      ? 'defect'
      : undefined,
};
