import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const csharpInsecureCookie: NodeRule = {
  ...SECURITY,
  id: 'csharp-insecure-cookie',
  category: 'insecure-cookie',
  severity: 'low',
  confidence: 'high',
  message: 'The cookie goes over plain connections too, or scripts in the page can read it.',
  help: 'Set Secure and HttpOnly to true.',
  language: 'csharp',
  looksAt: 'nodes',
  kinds: ['assignment_expression'],
  mentions: ['Cookie'],
  judge: (node) => {
    const left = shortText(node.field('left'));
    const isFlag = /[cC]ookie\w*\.(?:Secure|HttpOnly)$/.test(left);
    return isFlag && node.field('right')?.text() === 'false' ? 'defect' : undefined;
  },
};
