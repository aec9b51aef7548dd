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
  kinds: ['assignment_expression', 'object_creation_expression'],
  mentions: ['Cookie'],
  judge: (node) => {
    if (node.kind() === 'object_creation_expression') {
      const isCookie = /^(?:Http)?Cookie(?:Options|Builder)?$/.test(shortText(node.field('type')));
      const isOpen = /\b(?:Secure|HttpOnly)=false\b/.test(shortText(node.field('initializer')));
      return isCookie && isOpen ? 'defect' : undefined;
    }
    const left = shortText(node.field('left'));
    const isFlag = /[cC]ookie\w*\.(?:Secure|HttpOnly)$/.test(left);
    return isFlag && node.field('right')?.text() === 'false' ? 'defect' : undefined;
  },
};
