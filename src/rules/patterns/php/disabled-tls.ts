import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const phpDisabledTls: NodeRule = {
  ...SECURITY,
  id: 'php-disabled-tls',
  category: 'insecure-tls',
  severity: 'high',
  confidence: 'high',
  message: 'Certificates are not checked: anybody on the way can read and change what is sent.',
  help: 'Leave verification on; give a private authority with CURLOPT_CAINFO.',
  language: 'php',
  looksAt: 'nodes',
  kinds: ['function_call_expression', 'array_element_initializer'],
  mentions: ['CURLOPT_SSL_VERIFY', 'verify'],
  judge: (node, file) => {
    if (node.kind() === 'function_call_expression') {
      const call = file.call(node);
      const [option, value] = [shortText(call?.at(1)), shortText(call?.at(2))];
      return call?.name === 'curl_setopt' &&
        /^CURLOPT_SSL_VERIFY(?:PEER|HOST)$/.test(option) &&
        /^(?:false|0)$/i.test(value)
        ? 'defect'
        : undefined;
    }
    return /^(?:CURLOPT_SSL_VERIFY(?:PEER|HOST)|['"](?:verify|verify_peer|verify_peer_name|sslverify)['"])=>(?:false|0)$/i.test(
      shortText(node),
    )
      ? 'defect'
      : undefined;
  },
};
