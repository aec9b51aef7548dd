import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';

export const phpPathFromRequest: CallRule = {
  ...SECURITY,
  id: 'php-path-from-request',
  category: 'path-traversal',
  severity: 'high',
  confidence: 'medium',
  message: 'A request names the file, and with ".." any file that the process may read or write.',
  help: 'Take basename, or require that realpath lies in its folder.',
  language: 'php',
  looksAt: 'calls',
  names: [
    'file_get_contents',
    'file_put_contents',
    'fopen',
    'readfile',
    'unlink',
    'file',
    'copy',
    'rename',
  ],
  judge: (call, file) =>
    call.receiver === undefined
      ? judgeRequestData(
          call.at(0),
          file,
          /basename|realpath|in_array|preg_match|ctype_|tmp_name|array_key_exists/,
        )
      : undefined,
};
