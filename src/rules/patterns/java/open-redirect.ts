import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const javaOpenRedirect: CallRule = {
  ...SECURITY,
  id: 'java-open-redirect',
  category: 'open-redirect',
  severity: 'medium',
  confidence: 'medium',
  message: 'A link to this site can lead to any other, chosen by whoever wrote the link.',
  help: 'Allow only paths of this site.',
  language: 'java',
  looksAt: 'calls',
  names: ['sendRedirect'],
  judge: (call, file) => judgeAddress(call.at(0), file, /startsWith|allow|valid|isSafe|equals\(/i),
};
