import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const csharpOpenRedirect: CallRule = {
  ...SECURITY,
  id: 'csharp-open-redirect',
  category: 'open-redirect',
  severity: 'medium',
  confidence: 'medium',
  message: 'A link to this site can lead to any other, chosen by whoever wrote the link.',
  help: 'Use LocalRedirect, or ask Url.IsLocalUrl.',
  language: 'csharp',
  looksAt: 'calls',
  names: ['Redirect', 'RedirectPermanent'],
  judge: (call, file) =>
    /^(?:|Response|this)$/.test(call.receiverText)
      ? judgeAddress(call.at(0), file, /IsLocalUrl|StartsWith|allow|valid/i)
      : undefined,
};
