import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';

export const javaPathFromRequest: CallRule = {
  ...SECURITY,
  id: 'java-path-from-request',
  category: 'path-traversal',
  severity: 'high',
  confidence: 'medium',
  message: 'A request names the file, and with ".." any file that the process may read or write.',
  help: 'Resolve and normalize the path, and require that it starts with its folder.',
  language: 'java',
  looksAt: 'calls',
  names: [
    'File',
    'FileInputStream',
    'FileOutputStream',
    'FileReader',
    'FileWriter',
    'get',
    'of',
    'resolve',
  ],
  judge: (call, file) => {
    if (call.name === 'get' && !/^(?:Paths|java\.nio\.file\.Paths)$/.test(call.receiverText))
      return undefined;
    if (call.name === 'of' && call.receiverText !== 'Path') return undefined;
    const named = call.args.map(({ value }) => value).find((value) => file.isFromRequest(value));
    return judgeRequestData(
      named,
      file,
      /getCanonicalPath|getCanonicalFile|normalize|startsWith|FilenameUtils|getFileName\(|toRealPath/,
    );
  },
};
