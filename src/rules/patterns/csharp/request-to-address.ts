import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const csharpRequestToAddress: CallRule = {
  ...SECURITY,
  id: 'csharp-request-to-address',
  category: 'ssrf',
  severity: 'high',
  confidence: 'medium',
  message: 'A request chooses the host that the server connects to, inside of its own network too.',
  help: 'Compare the host with a list of those that are meant.',
  language: 'csharp',
  looksAt: 'calls',
  names: [
    'GetAsync',
    'GetStringAsync',
    'GetByteArrayAsync',
    'GetStreamAsync',
    'DownloadString',
    'DownloadData',
    'PostAsync',
  ],
  judge: (call, file) => judgeAddress(call.at(0), file, /allow|whitelist|\.Host\b|valid/i),
};
