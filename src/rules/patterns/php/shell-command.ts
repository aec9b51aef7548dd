import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeCommand } from '../judge-command.ts';

export const phpShellCommand: CallRule = {
  ...SECURITY,
  id: 'php-shell-command',
  category: 'command-injection',
  severity: 'high',
  confidence: 'high',
  message:
    'A shell runs a command that is put together from data: whoever controls the data runs commands of their own.',
  help: 'Put escapeshellarg around each value, or give proc_open a list.',
  language: 'php',
  looksAt: 'calls',
  names: ['system', 'exec', 'passthru', 'shell_exec', 'popen', 'proc_open'],
  judge: (call, file) => (call.receiver === undefined ? judgeCommand(call.at(0), file) : undefined),
};
