import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';

export const javaHtmlFromRequest: CallRule = {
  ...SECURITY,
  id: 'java-html-from-request',
  category: 'xss',
  severity: 'high',
  confidence: 'medium',
  message: 'What a request says comes into the page as it is: a value with a script in it runs.',
  help: 'Escape it for HTML, or let the template engine write it.',
  language: 'java',
  looksAt: 'calls',
  names: ['print', 'println', 'write', 'printf', 'append'],
  judge: (call, file) =>
    /getWriter\(\)$|^(?:out|writer|pw)$/i.test(call.receiverText) &&
    /HttpServletResponse/.test(file.text)
      ? judgeRequestData(
          call.at(0),
          file,
          /escape|encode|sanitiz|setContentType\("(?:application\/json|text\/plain)/i,
        )
      : undefined,
};
