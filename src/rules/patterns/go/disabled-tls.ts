import { SECURITY, type NodeRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const goDisabledTls: NodeRule = {
  ...SECURITY,
  id: 'go-disabled-tls',
  category: 'insecure-tls',
  severity: 'high',
  confidence: 'high',
  message: 'Certificates are not checked: anybody on the way can read and change what is sent.',
  help: 'Leave it false; put a private authority into RootCAs.',
  language: 'go',
  looksAt: 'nodes',
  kinds: ['keyed_element', 'assignment_statement'],
  mentions: ['InsecureSkipVerify'],
  judge: (node) =>
    /(?:^|\.)InsecureSkipVerify(?:=|:)true$/.test(shortText(node)) ? 'defect' : undefined,
};
