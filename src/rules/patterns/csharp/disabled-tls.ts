import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const csharpDisabledTls: NodeRule = {
  ...SECURITY,
  id: 'csharp-disabled-tls',
  category: 'insecure-tls',
  severity: 'high',
  confidence: 'high',
  message: 'Every certificate is believed: anybody on the way can read and change what is sent.',
  help: 'Leave the check of the platform on; compare with a private authority if you must.',
  language: 'csharp',
  looksAt: 'nodes',
  kinds: ['assignment_expression'],
  mentions: ['CertificateValidationCallback', 'CertificateCustomValidationCallback'],
  judge: (node) => {
    if (
      !/(?:Server|Remote)Certificate(?:Custom)?ValidationCallback$/.test(
        shortText(node.field('left')),
      )
    )
      return undefined;
    return /=>(?:true|\{returntrue;\})$|\{returntrue;\}$|DangerousAcceptAnyServerCertificateValidator$/.test(
      shortText(node.field('right')),
    )
      ? 'defect'
      : undefined;
  },
};
