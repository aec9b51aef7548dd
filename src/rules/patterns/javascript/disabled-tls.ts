import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const javascriptDisabledTls: NodeRule = {
  ...SECURITY,
  id: 'javascript-disabled-tls',
  category: 'insecure-tls',
  severity: 'high',
  confidence: 'high',
  message: 'Certificates are not checked: anybody on the way can read and change what is sent.',
  help: 'Leave verification on; give a private authority in ca.',
  language: 'javascript',
  looksAt: 'nodes',
  kinds: ['pair', 'assignment_expression'],
  mentions: ['rejectUnauthorized', 'NODE_TLS_REJECT_UNAUTHORIZED', 'strictSSL'],
  judge: (node) =>
    /^(?:['"]?(?:rejectUnauthorized|strictSSL)['"]?:false|(?:\w+\.)*rejectUnauthorized=false|process\.env(?:\.NODE_TLS_REJECT_UNAUTHORIZED|\[['"]NODE_TLS_REJECT_UNAUTHORIZED['"]\])=['"]?0['"]?)$/.test(
      shortText(node),
    )
      ? 'defect'
      : undefined,
};
