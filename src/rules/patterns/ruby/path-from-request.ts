import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';

export const rubyPathFromRequest: CallRule = {
  ...SECURITY,
  id: 'ruby-path-from-request',
  category: 'path-traversal',
  severity: 'high',
  confidence: 'medium',
  message: 'A request names the file, and with ".." any file that the process may read or write.',
  help: 'Take File.basename, or require that the expanded path starts with its folder.',
  language: 'ruby',
  looksAt: 'calls',
  names: ['read', 'open', 'readlines', 'write', 'delete', 'send_file', 'binread'],
  judge: (call, file) =>
    call.name === 'send_file' || /^(?:File|IO|FileUtils|Pathname)$/.test(call.receiverText)
      ? judgeRequestData(call.at(0), file, /basename|start_with\?|expand_path|include\?|sanitize/)
      : undefined,
};
