import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { TOKEN } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const rubyGuessableToken: NodeRule = {
  ...SECURITY,
  id: 'ruby-guessable-token',
  category: 'insecure-random',
  severity: 'medium',
  confidence: 'high',
  message: 'rand is made for simulations: from some of its numbers the next ones follow.',
  help: 'Use SecureRandom.',
  language: 'ruby',
  looksAt: 'nodes',
  kinds: ['assignment'],
  mentions: ['rand', 'Random'],
  judge: (node) => {
    const value = shortText(node.field('right'), 1000);
    return /(?<![\w.])(?:Kernel\.)?rand(?:\(|\b(?!om))|(?<!Secure)Random\.(?:rand|new)|\.sample\b|shuffle/.test(
      value,
    ) &&
      !/SecureRandom/.test(value) &&
      TOKEN.test(shortText(node.field('left')))
      ? 'defect'
      : undefined;
  },
};
