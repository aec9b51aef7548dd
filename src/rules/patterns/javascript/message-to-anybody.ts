import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const javascriptMessageToAnybody: CallRule = {
  ...SECURITY,
  id: 'javascript-message-to-anybody',
  category: 'information-exposure',
  severity: 'low',
  confidence: 'medium',
  message: 'The message goes to whatever site the window shows by then.',
  help: 'Name the origin that it is meant for.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['postMessage'],
  judge: (call, file) => {
    const isWindow = /(?:^|\.)(?:parent|opener|top|contentWindow)$/.test(call.receiverText);
    return isWindow &&
      /token|secret|passw|session|credential/i.test(shortText(call.at(0), 1000)) &&
      file.constantText(call.at(1)) === '*'
      ? 'defect'
      : undefined;
  },
};
