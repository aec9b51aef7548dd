import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const javaTrustsEverybody: NodeRule = {
  ...SECURITY,
  id: 'java-trusts-everybody',
  category: 'insecure-tls',
  severity: 'high',
  confidence: 'high',
  message: 'Every certificate is believed: anybody on the way can read and change what is sent.',
  help: 'Leave the checks of the platform on; add a private authority to a KeyStore.',
  language: 'java',
  looksAt: 'nodes',
  kinds: ['method_declaration', 'method_invocation'],
  mentions: [
    'checkServerTrusted',
    'setHostnameVerifier',
    'hostnameVerifier',
    'NoopHostnameVerifier',
  ],
  judge: (node) => {
    const name = node.field('name')?.text();
    if (node.kind() === 'method_declaration') {
      const isEmpty = node
        .field('body')
        ?.namedChildren()
        .every((child) => child.kind().toString().endsWith('comment'));
      return name === 'checkServerTrusted' && isEmpty === true ? 'defect' : undefined;
    }
    if (
      !/^(?:set(?:Default|SSL)?HostnameVerifier|hostnameVerifier|setSSLHostnameVerifier)$/.test(
        name ?? '',
      )
    )
      return undefined;
    return /->(?:true|\{returntrue;\})|NoopHostnameVerifier|ALLOW_ALL/.test(
      shortText(node.field('arguments')),
    )
      ? 'defect'
      : undefined;
  },
};
