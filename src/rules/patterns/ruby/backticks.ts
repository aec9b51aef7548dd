import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { judgeCommand } from '../judge-command.ts';

export const rubyBackticks: NodeRule = {
  ...SECURITY,
  id: 'ruby-backticks',
  category: 'command-injection',
  severity: 'high',
  confidence: 'high',
  message: 'A shell runs the text between the backticks, with data in it.',
  help: 'Use Open3.capture2 with the arguments apart.',
  language: 'ruby',
  looksAt: 'nodes',
  kinds: ['subshell'],
  mentions: ['`', '%x'],
  judge: (node, file) => judgeCommand(node, file),
};
