import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';
import type { Argument } from '../call.ts';

export const pythonPathFromRequest: CallRule = {
  ...SECURITY,
  id: 'python-path-from-request',
  category: 'path-traversal',
  severity: 'high',
  confidence: 'medium',
  message: 'A request names the file, and with ".." any file that the process may read or write.',
  help: 'Take the last part only (secure_filename, os.path.basename), or resolve the path and require that it lies in its folder.',
  language: 'python',
  looksAt: 'calls',
  names: ['open', 'send_file', 'FileResponse', 'remove', 'unlink', 'rmtree', 'read_text'],
  judge: (call, file) =>
    judgeRequestData(
      call.name === 'read_text' ? call.receiver : (call.at(0) ?? pathOf(call.args)),
      file,
      /secure_filename|safe_join|basename|commonpath|commonprefix|is_relative_to|startswith|realpath|send_from_directory|allowed/i,
    ),
};

const pathOf = (args: readonly Argument[]): Argument['value'] | undefined =>
  args.find(({ name }) => /^(?:file|path|path_or_file)$/.test(name))?.value;
