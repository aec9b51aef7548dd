import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const rubyDisabledTls: NodeRule = {
  ...SECURITY,
  id: 'ruby-disabled-tls',
  category: 'insecure-tls',
  severity: 'high',
  confidence: 'high',
  message: 'Certificates are not checked: anybody on the way can read and change what is sent.',
  help: 'Leave VERIFY_PEER; give a private authority with ca_file.',
  language: 'ruby',
  looksAt: 'nodes',
  kinds: ['assignment', 'pair'],
  mentions: ['VERIFY_NONE', 'verify'],
  judge: (node) => {
    if (node.kind() === 'assignment') {
      return shortText(node).endsWith('.verify_mode=OpenSSL::SSL::VERIFY_NONE')
        ? 'defect'
        : undefined;
    }
    return /^(?:verify_mode:OpenSSL::SSL::VERIFY_NONE|:?(?:verify_ssl|ssl_verify|verify_peer)(?::|=>)(?:false|OpenSSL::SSL::VERIFY_NONE))$/.test(
      shortText(node),
    )
      ? 'defect'
      : undefined;
  },
};
