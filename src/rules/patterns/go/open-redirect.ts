import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';
import { shortText } from '../short-text.ts';

export const goOpenRedirect: CallRule = {
  ...SECURITY,
  id: 'go-open-redirect',
  category: 'open-redirect',
  severity: 'medium',
  confidence: 'medium',
  message: 'A link to this site can lead to any other, chosen by whoever wrote the link.',
  help: 'Allow only paths of this site.',
  language: 'go',
  looksAt: 'calls',
  names: ['Redirect'],
  judge: (call, file) =>
    call.receiverText === 'http' && !/URL\.Path|RequestURI/.test(shortText(call.at(2)))
      ? judgeAddress(call.at(2), file, /HasPrefix|url\.Parse|allow|valid|isSafe/i)
      : undefined,
};
