import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const javascriptRequestToAddress: CallRule = {
  ...SECURITY,
  id: 'javascript-request-to-address',
  category: 'ssrf',
  severity: 'high',
  confidence: 'medium',
  message: 'A request chooses the host that the server connects to, inside of its own network too.',
  help: 'Compare the host with a list of those that are meant.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['fetch', 'get', 'post', 'request', 'axios', 'got', 'needle'],
  judge: (call, file) =>
    CLIENT.test(call.receiver === undefined ? call.name : call.receiverText)
      ? judgeAddress(call.at(0), file, /allow|whitelist|hostname|\.host\s*[!=]=|valid/i)
      : undefined,
};

const CLIENT = /^(?:fetch|axios|got|needle|request|superagent|https?|undici|globalThis|window)$/;
