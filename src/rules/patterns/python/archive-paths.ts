import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const pythonArchivePaths: CallRule = {
  ...SECURITY,
  id: 'python-archive-paths',
  category: 'zip-slip',
  severity: 'medium',
  confidence: 'medium',
  message: 'Names in an archive can lead out of the folder that it is unpacked into.',
  help: 'Give filter="data", or check each name before.',
  language: 'python',
  looksAt: 'calls',
  names: ['extractall'],
  judge: (call, file) => {
    if (!/\btarfile\b/.test(file.text) || !/tar|tf$|^t$/i.test(call.receiverText)) return undefined;
    return call.named('filter') === undefined && call.named('members') === undefined
      ? 'defect'
      : undefined;
  },
};
