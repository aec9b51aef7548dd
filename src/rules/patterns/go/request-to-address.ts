import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const goRequestToAddress: CallRule = {
  ...SECURITY,
  id: 'go-request-to-address',
  category: 'ssrf',
  severity: 'high',
  confidence: 'medium',
  message: 'A request chooses the host that the server connects to, inside of its own network too.',
  help: 'Compare the host with a list of those that are meant.',
  language: 'go',
  looksAt: 'calls',
  names: ['Get', 'Post', 'Head', 'NewRequest', 'NewRequestWithContext'],
  judge: (call, file) =>
    call.receiverText !== 'http' && !/client$/i.test(call.receiverText)
      ? undefined
      : judgeAddress(
          call.at(call.name === 'NewRequest' ? 1 : call.name === 'NewRequestWithContext' ? 2 : 0),
          file,
          /allow|whitelist|Hostname\(|\.Host\b|valid/i,
        ),
};
