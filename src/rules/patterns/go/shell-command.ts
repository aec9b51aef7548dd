import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeCommand } from '../judge-command.ts';

export const goShellCommand: CallRule = {
  ...SECURITY,
  id: 'go-shell-command',
  category: 'command-injection',
  severity: 'high',
  confidence: 'high',
  message:
    'A shell runs a command that is put together from data: whoever controls the data runs commands of their own.',
  help: 'Start the program itself, with its arguments apart.',
  language: 'go',
  looksAt: 'calls',
  names: ['Command', 'CommandContext'],
  judge: (call, file) => {
    if (call.receiverText !== 'exec') return undefined;
    const from = call.name === 'Command' ? 0 : 1;
    const isShell =
      /^(?:(?:\/usr)?\/bin\/)?(?:sh|bash|zsh)$|^cmd(?:\.exe)?$|^powershell(?:\.exe)?$/i.test(
        file.constantText(call.at(from)) ?? '',
      ) && /^(?:-[a-z]*c|\/c|-command)$/i.test(file.constantText(call.at(from + 1)) ?? '');
    return isShell ? judgeCommand(call.at(from + 2), file) : undefined;
  },
};
