import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const pythonRequestToAddress: CallRule = {
  ...SECURITY,
  id: 'python-request-to-address',
  category: 'ssrf',
  severity: 'high',
  confidence: 'medium',
  message: 'A request chooses the host that the server connects to, inside of its own network too.',
  help: 'Compare the host with a list of those that are meant.',
  language: 'python',
  looksAt: 'calls',
  names: ['get', 'post', 'put', 'request', 'urlopen'],
  judge: (call, file) =>
    /^(?:requests|httpx|urllib\.request|urllib2?|session|self\.session|client)$/.test(
      call.receiverText,
    ) || call.name === 'urlopen'
      ? judgeAddress(
          call.at(call.name === 'request' ? 1 : 0) ?? call.named('url'),
          file,
          /allow|whitelist|urlparse|urlsplit|netloc|hostname|valid/i,
        )
      : undefined,
};
