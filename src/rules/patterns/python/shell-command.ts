import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeCommand } from '../judge-command.ts';

export const pythonShellCommand: CallRule = {
  ...SECURITY,
  id: 'python-shell-command',
  category: 'command-injection',
  severity: 'high',
  confidence: 'high',
  message:
    'A shell runs a command that is put together from data: whoever controls the data runs commands of their own.',
  help: 'Pass the program and its arguments as a list, without shell=True; quote with shlex.quote what a shell must see.',
  language: 'python',
  looksAt: 'calls',
  names: [
    'run',
    'call',
    'Popen',
    'check_output',
    'check_call',
    'getoutput',
    'getstatusoutput',
    'system',
    'popen',
  ],
  judge: (call, file) => {
    const { name, receiverText } = call;
    const isShell =
      receiverText === 'os'
        ? name === 'system' || name === 'popen'
        : name.startsWith('get')
          ? receiverText === 'subprocess'
          : call.named('shell')?.text() === 'True' && name !== 'system' && name !== 'popen';
    return isShell ? judgeCommand(call.at(0) ?? call.named('args'), file) : undefined;
  },
};
