import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';

export const phpIncludedFromRequest: NodeRule = {
  ...SECURITY,
  id: 'php-included-from-request',
  category: 'code-injection',
  severity: 'critical',
  confidence: 'high',
  message: 'A request names the file that is run.',
  help: 'Choose the file from a list of those that are meant.',
  language: 'php',
  looksAt: 'nodes',
  kinds: [
    'include_expression',
    'include_once_expression',
    'require_expression',
    'require_once_expression',
  ],
  mentions: ['include', 'require'],
  judge: (node, file) =>
    judgeRequestData(
      node.namedChildren()[0],
      file,
      /basename|in_array|array_key_exists|preg_match|ctype_|realpath/,
    ),
};
