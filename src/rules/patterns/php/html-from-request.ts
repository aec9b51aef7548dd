import { SECURITY, type NodeRule } from '../pattern-rule.ts';

export const phpHtmlFromRequest: NodeRule = {
  ...SECURITY,
  id: 'php-html-from-request',
  category: 'xss',
  severity: 'high',
  confidence: 'high',
  message: 'What a request says comes into the page as it is: a value with a script in it runs.',
  help: 'Put htmlspecialchars around it.',
  language: 'php',
  looksAt: 'nodes',
  kinds: ['echo_statement', 'print_intrinsic'],
  mentions: ['echo', 'print'],
  judge: (node, file) =>
    node
      .namedChildren()
      .some((child) =>
        (child.kind() === 'sequence_expression' ? child.namedChildren() : [child]).some((part) =>
          file.isFromRequest(part),
        ),
      )
      ? 'defect'
      : undefined,
};
