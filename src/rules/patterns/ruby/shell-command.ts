import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeCommand } from '../judge-command.ts';

export const rubyShellCommand: CallRule = {
  ...SECURITY,
  id: 'ruby-shell-command',
  category: 'command-injection',
  severity: 'high',
  confidence: 'high',
  message:
    'A shell runs a command that is put together from data: whoever controls the data runs commands of their own.',
  help: 'Give the program and its arguments apart: system("ls", name).',
  language: 'ruby',
  looksAt: 'calls',
  names: [
    'system',
    'exec',
    'spawn',
    'popen',
    'popen3',
    'popen2',
    'popen2e',
    'capture2',
    'capture2e',
    'capture3',
  ],
  judge: (call, file) => {
    const isOwn =
      call.receiver === undefined || /^(?:Kernel|IO|Open3|Process)$/.test(call.receiverText);
    const places = call.args.filter(({ name }) => name === '').length;
    return isOwn && places === 1 && call.at(0)?.kind() !== 'splat_argument'
      ? judgeCommand(call.at(0), file)
      : undefined;
  },
};
