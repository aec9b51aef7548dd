import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { judgeCommand } from '../judge-command.ts';

export const phpBackticks: NodeRule = {
  ...SECURITY,
  id: 'php-backticks',
  category: 'command-injection',
  severity: 'high',
  confidence: 'high',
  message: 'A shell runs the text between the backticks, with data in it.',
  help: 'Put escapeshellarg around each value.',
  language: 'php',
  looksAt: 'nodes',
  kinds: ['shell_command_expression'],
  mentions: ['`'],
  judge: (node, file) => judgeCommand(node, file),
};
