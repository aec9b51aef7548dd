import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { TOKEN } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const pythonGuessableToken: NodeRule = {
  ...SECURITY,
  id: 'python-guessable-token',
  category: 'insecure-random',
  severity: 'medium',
  confidence: 'high',
  message:
    'The random module is made for simulations: from some of its numbers the next ones follow.',
  help: 'Use the secrets module.',
  language: 'python',
  looksAt: 'nodes',
  kinds: ['assignment'],
  mentions: ['random.'],
  judge: (node) => {
    const value = shortText(node.field('right'), 1000);
    const isRandom =
      /(?<![\w.])random\.(?:random|randint|randrange|choices?|sample|getrandbits)\(/.test(value);
    return isRandom && TOKEN.test(shortText(node.field('left'))) ? 'defect' : undefined;
  },
};
