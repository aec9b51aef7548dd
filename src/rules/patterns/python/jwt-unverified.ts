import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const pythonJwtUnverified: CallRule = {
  ...SECURITY,
  id: 'python-jwt-unverified',
  category: 'jwt-verification',
  severity: 'high',
  confidence: 'high',
  message: 'The token is believed without its signature: anybody can write one.',
  help: 'Give the key and the list of algorithms that you sign with.',
  language: 'python',
  looksAt: 'calls',
  names: ['decode'],
  judge: (call) => {
    if (!/(?:^|\.)(?:jwt|jose|pyjwt)$/i.test(call.receiverText)) return undefined;
    const said = call.args.map(({ name, value }) => `${name}=${shortText(value, 1000)}`).join(' ');
    return /verify=False|['"]verify_signature['"]:False|algorithms=\[[^\]]*['"]none['"]/i.test(said)
      ? 'defect'
      : undefined;
  },
};
