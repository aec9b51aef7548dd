import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';

export const csharpPathFromRequest: CallRule = {
  ...SECURITY,
  id: 'csharp-path-from-request',
  category: 'path-traversal',
  severity: 'high',
  confidence: 'medium',
  message: 'A request names the file, and with ".." any file that the process may read or write.',
  help: 'Take Path.GetFileName, or require that the full path starts with its folder.',
  language: 'csharp',
  looksAt: 'calls',
  names: [
    'ReadAllText',
    'ReadAllBytes',
    'ReadAllLines',
    'OpenRead',
    'Open',
    'Delete',
    'WriteAllText',
    'WriteAllBytes',
    'PhysicalFile',
    'FileStream',
    'StreamReader',
    'ReadAllTextAsync',
    'ReadAllBytesAsync',
  ],
  judge: (call, file) =>
    /^(?:|(?:System\.IO\.)?File)$/.test(call.receiverText)
      ? judgeRequestData(call.at(0), file, /GetFileName|StartsWith|GetFullPath|Contains\("\.\."/)
      : undefined,
};
