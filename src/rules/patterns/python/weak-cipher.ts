import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const pythonWeakCipher: CallRule = {
  ...SECURITY,
  id: 'python-weak-cipher',
  category: 'weak-crypto',
  severity: 'medium',
  confidence: 'high',
  message: 'The cipher is broken, or its mode shows which blocks are equal.',
  help: 'Use AES-GCM or ChaCha20-Poly1305.',
  language: 'python',
  looksAt: 'calls',
  names: ['new', 'ECB', 'TripleDES', 'ARC4', 'Blowfish', 'IDEA'],
  judge: (call) => {
    const { name, receiverText } = call;
    if (name === 'new') {
      if (/^(?:DES3?|ARC2|ARC4|Blowfish)$/.test(receiverText)) return 'defect';
      const mode = call.at(1) ?? call.named('mode');
      return receiverText === 'AES' && shortText(mode) === 'AES.MODE_ECB' ? 'defect' : undefined;
    }
    return /(?:^|\.)(?:modes|algorithms)$/.test(receiverText) ? 'defect' : undefined;
  },
};
