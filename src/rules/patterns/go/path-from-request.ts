import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';

export const goPathFromRequest: CallRule = {
  ...SECURITY,
  id: 'go-path-from-request',
  category: 'path-traversal',
  severity: 'high',
  confidence: 'medium',
  message: 'A request names the file, and with ".." any file that the process may read or write.',
  help: 'Take filepath.Base, require filepath.IsLocal, or open it through os.Root.',
  language: 'go',
  looksAt: 'calls',
  names: [
    'Open',
    'OpenFile',
    'ReadFile',
    'WriteFile',
    'Create',
    'Remove',
    'RemoveAll',
    'ServeFile',
  ],
  judge: (call, file) =>
    /^(?:os|ioutil|http)$/.test(call.receiverText)
      ? judgeRequestData(
          call.at(call.name === 'ServeFile' ? 2 : 0),
          file,
          /filepath\.(?:Base|Clean|Rel|IsLocal)|path\.(?:Base|Clean)|HasPrefix|Contains\(\w+, "\.\."|SecureJoin|http\.Dir|fs\.ValidPath/,
        )
      : undefined,
};
