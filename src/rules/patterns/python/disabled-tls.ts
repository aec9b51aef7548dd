import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const pythonDisabledTls: CallRule = {
  ...SECURITY,
  id: 'python-disabled-tls',
  category: 'insecure-tls',
  severity: 'high',
  confidence: 'high',
  message: 'Certificates are not checked: anybody on the way can read and change what is sent.',
  help: 'Leave verification on; give a private authority with verify="/path/to/ca.pem".',
  language: 'python',
  looksAt: 'calls',
  names: [
    'get',
    'post',
    'put',
    'patch',
    'delete',
    'head',
    'options',
    'request',
    'Client',
    'AsyncClient',
    '_create_unverified_context',
  ],
  judge: (call) => {
    if (call.name === '_create_unverified_context')
      return call.receiverText === 'ssl' ? 'defect' : undefined;
    return call.named('verify')?.text() === 'False' ? 'defect' : undefined;
  },
};
