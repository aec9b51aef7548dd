import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const goInsecureCookie: NodeRule = {
  ...SECURITY,
  id: 'go-insecure-cookie',
  category: 'insecure-cookie',
  severity: 'low',
  confidence: 'high',
  message: 'The cookie goes over plain connections too, or scripts in the page can read it.',
  help: 'Set Secure and HttpOnly to true.',
  language: 'go',
  looksAt: 'nodes',
  kinds: ['composite_literal'],
  mentions: ['http.Cookie'],
  judge: (node) =>
    shortText(node.field('type')) === 'http.Cookie' &&
    /\b(?:Secure|HttpOnly):false\b/.test(shortText(node, 1000))
      ? 'defect'
      : undefined,
};
