import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const csharpCipherMode: NodeRule = {
  ...SECURITY,
  id: 'csharp-cipher-mode',
  category: 'weak-crypto',
  severity: 'medium',
  confidence: 'high',
  message: 'The mode of the cipher shows which blocks are equal.',
  help: 'Use AesGcm.',
  language: 'csharp',
  looksAt: 'nodes',
  kinds: ['assignment_expression'],
  mentions: ['CipherMode.ECB'],
  judge: (node) =>
    /\bCipherMode\.ECB$/.test(shortText(node.field('right'))) ? 'defect' : undefined,
};
