import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';
import { shortText } from '../short-text.ts';

export const goHtmlFromRequest: CallRule = {
  ...SECURITY,
  id: 'go-html-from-request',
  category: 'xss',
  severity: 'high',
  confidence: 'medium',
  message: 'What a request says comes into the page as it is: a value with a script in it runs.',
  help: 'Write it with html/template, or escape it with html.EscapeString.',
  language: 'go',
  looksAt: 'calls',
  names: ['Fprintf', 'Fprint', 'Fprintln', 'HTML', 'Write', 'WriteString'],
  judge: (call, file) => {
    const checks = /EscapeString|HTMLEscape|bluemonday|sanitiz|"(?:application\/json|text\/plain)/i;
    if (call.name === 'HTML')
      return call.receiverText === 'template'
        ? judgeRequestData(call.at(0), file, checks)
        : undefined;
    if (call.name.startsWith('Fprint')) {
      if (call.receiverText !== 'fmt' || shortText(call.at(0)) !== 'w') return undefined;
      return call.args.slice(1).some(({ value }) => judgeRequestData(value, file, checks))
        ? 'defect'
        : undefined;
    }
    return call.receiverText === 'w' ? judgeRequestData(call.at(0), file, checks) : undefined;
  },
};
