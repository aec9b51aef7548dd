import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const csharpExternalEntities: NodeRule = {
  ...SECURITY,
  id: 'csharp-external-entities',
  category: 'xxe',
  severity: 'medium',
  confidence: 'high',
  message: 'The parser reads files and addresses that the XML text names.',
  help: 'Set DtdProcessing.Prohibit, and no resolver.',
  language: 'csharp',
  looksAt: 'nodes',
  kinds: ['assignment_expression'],
  mentions: ['DtdProcessing.Parse', 'XmlUrlResolver', 'ProhibitDtd'],
  judge: (node) => {
    const [left, right] = [shortText(node.field('left')), shortText(node.field('right'))];
    const isOpen =
      /\bDtdProcessing\.Parse$/.test(right) ||
      (/(?:^|\.)XmlResolver$/.test(left) && right.startsWith('newXmlUrlResolver(')) ||
      (/(?:^|\.)ProhibitDtd$/.test(left) && right === 'false');
    return isOpen ? 'defect' : undefined;
  },
};
