import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const pythonTemporaryName: CallRule = {
  ...SECURITY,
  id: 'python-temporary-name',
  category: 'insecure-temp-file',
  severity: 'medium',
  confidence: 'high',
  message: 'Somebody else can make the file between the choice of its name and its use.',
  help: 'Use tempfile.mkstemp or NamedTemporaryFile, which make the file.',
  language: 'python',
  looksAt: 'calls',
  names: ['mktemp', 'tempnam', 'tmpnam'],
  judge: (call) =>
    (call.name === 'mktemp' ? call.receiverText === 'tempfile' : call.receiverText === 'os')
      ? 'defect'
      : undefined,
};
