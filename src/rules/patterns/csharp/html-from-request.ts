import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';

export const csharpHtmlFromRequest: CallRule = {
  ...SECURITY,
  id: 'csharp-html-from-request',
  category: 'xss',
  severity: 'high',
  confidence: 'medium',
  message: 'What a request says comes into the page as it is: a value with a script in it runs.',
  help: 'Let Razor write it, or use HtmlEncoder.',
  language: 'csharp',
  looksAt: 'calls',
  names: ['Raw', 'Write', 'WriteAsync', 'HtmlString'],
  judge: (call, file) =>
    /^(?:Html|Response|)$/.test(call.receiverText) &&
    (call.receiver !== undefined || call.name === 'HtmlString')
      ? judgeRequestData(call.at(0), file, /HtmlEncode|HtmlEncoder|Sanitiz|text\/plain/)
      : undefined,
};
