import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { TOKEN } from '../weak-crypto.ts';
import { shortText } from '../short-text.ts';

export const javascriptGuessableToken: NodeRule = {
  ...SECURITY,
  id: 'javascript-guessable-token',
  category: 'insecure-random',
  severity: 'medium',
  confidence: 'high',
  message: 'Math.random is made for simulations: from some of its numbers the next ones follow.',
  help: 'Use crypto.randomBytes or crypto.randomUUID.',
  language: 'javascript',
  looksAt: 'nodes',
  kinds: ['variable_declarator', 'assignment_expression', 'pair'],
  mentions: ['Math.random'],
  judge: (node) => {
    const name = node.field('name') ?? node.field('left') ?? node.field('key');
    const value = shortText(node.field('value') ?? node.field('right'), 1000);
    return /^(?!.*=>).*\bMath\.random\(/.test(value) && TOKEN.test(shortText(name))
      ? 'defect'
      : undefined;
  },
};
