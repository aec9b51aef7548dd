import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeCommand } from '../judge-command.ts';

export const csharpShellCommand: CallRule = {
  ...SECURITY,
  id: 'csharp-shell-command',
  category: 'command-injection',
  severity: 'high',
  confidence: 'high',
  message:
    'A shell runs a command that is put together from data: whoever controls the data runs commands of their own.',
  help: 'Start the program itself, with ProcessStartInfo.ArgumentList.',
  language: 'csharp',
  looksAt: 'calls',
  names: ['Start', 'ProcessStartInfo'],
  judge: (call, file) => {
    if (call.name === 'Start' && !/(?:^|\.)Process$/.test(call.receiverText)) return undefined;
    const program = call.at(0);
    if (program === undefined) return undefined;
    const isShell = /^(?:.*[\\/])?(?:cmd|powershell|pwsh|bash|sh)(?:\.exe)?$/i.test(
      file.constantText(program) ?? '',
    );
    if (isShell && call.at(1) !== undefined) return judgeCommand(call.at(1), file);
    return file.isFromRequest(program) ? 'defect' : undefined;
  },
};
