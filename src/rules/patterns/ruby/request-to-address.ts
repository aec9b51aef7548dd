import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const rubyRequestToAddress: CallRule = {
  ...SECURITY,
  id: 'ruby-request-to-address',
  category: 'ssrf',
  severity: 'high',
  confidence: 'medium',
  message:
    'A request chooses what is opened: an address inside of the own network, and with Kernel#open a command.',
  help: 'Compare the host with a list of those that are meant.',
  language: 'ruby',
  looksAt: 'calls',
  names: ['open', 'get', 'get_response', 'post'],
  judge: (call, file) =>
    call.receiver === undefined
      ? call.name === 'open'
        ? judgeAddress(call.at(0), file, /allow|whitelist|host|valid/i)
        : undefined
      : /^(?:URI|Net::HTTP|HTTParty|Faraday|RestClient|HTTP|Excon)$/.test(call.receiverText)
        ? judgeAddress(call.at(0), file, /allow|whitelist|\.host\b|valid/i)
        : undefined,
};
