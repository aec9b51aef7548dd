import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const csharpNamedTypes: NodeRule = {
  ...SECURITY,
  id: 'csharp-named-types',
  category: 'unsafe-deserialization',
  severity: 'high',
  confidence: 'medium',
  message: 'The JSON text names the classes of the objects that are made.',
  help: 'Leave TypeNameHandling.None, or set a SerializationBinder that knows the classes.',
  language: 'csharp',
  looksAt: 'nodes',
  kinds: ['assignment_expression'],
  mentions: ['TypeNameHandling'],
  judge: (node, file) =>
    /(?:^|\.)TypeNameHandling$/.test(shortText(node.field('left'))) &&
    /\bTypeNameHandling\.(?:All|Auto|Objects|Arrays)$/.test(shortText(node.field('right'))) &&
    !/SerializationBinder/.test(file.text)
      ? 'defect'
      : undefined,
};
