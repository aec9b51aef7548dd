import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { TOKEN } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const phpGuessableToken: NodeRule = {
  ...SECURITY,
  id: 'php-guessable-token',
  category: 'insecure-random',
  severity: 'medium',
  confidence: 'high',
  message: 'These numbers are made for simulations: from some of them the next ones follow.',
  help: 'Use random_bytes or random_int.',
  language: 'php',
  looksAt: 'nodes',
  kinds: ['assignment_expression'],
  mentions: ['rand(', 'uniqid(', 'mt_rand('],
  judge: (node) => {
    const value = shortText(node.field('right'), 1000);
    const name = shortText(node.field('left'))
      .replace(/['"\]]+$/, '')
      .replace(/\[['"]?/, '.')
      .replace(/->/, '.');
    return /\b(?:mt_rand|rand|uniqid|lcg_value|str_shuffle)\(/.test(value) && TOKEN.test(name)
      ? 'defect'
      : undefined;
  },
};
