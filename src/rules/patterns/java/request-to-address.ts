import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const javaRequestToAddress: CallRule = {
  ...SECURITY,
  id: 'java-request-to-address',
  category: 'ssrf',
  severity: 'high',
  confidence: 'medium',
  message: 'A request chooses the host that the server connects to, inside of its own network too.',
  help: 'Compare the host with a list of those that are meant.',
  language: 'java',
  looksAt: 'calls',
  names: ['URL', 'create', 'getForObject', 'getForEntity'],
  judge: (call, file) =>
    call.name === 'create' && call.receiverText !== 'URI'
      ? undefined
      : judgeAddress(call.at(0), file, /allow|whitelist|getHost|valid/i),
};
