import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeCommand } from '../judge-command.ts';

export const javaShellCommand: CallRule = {
  ...SECURITY,
  id: 'java-shell-command',
  category: 'command-injection',
  severity: 'high',
  confidence: 'high',
  message:
    'A command is put together from data: whoever controls the data runs commands of their own, or adds arguments.',
  help: 'Give the program and its arguments as a list to ProcessBuilder, without a shell.',
  language: 'java',
  looksAt: 'calls',
  names: ['exec', 'ProcessBuilder', 'command'],
  judge: (call, file) => {
    if (call.name === 'exec') {
      if (!/getRuntime\(\)$|^(?:rt|runtime)$/i.test(call.receiverText)) return undefined;
      return judgeCommand(call.at(0), file) === 'defect' ? 'defect' : undefined;
    }
    const isShell =
      /^(?:\/bin\/)?(?:sh|bash)$|^cmd(?:\.exe)?$/.test(file.constantText(call.at(0)) ?? '') &&
      /^(?:-c|\/c)$/i.test(file.constantText(call.at(1)) ?? '');
    return isShell ? judgeCommand(call.at(2), file) : undefined;
  },
};
