import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const pythonExternalEntities: CallRule = {
  ...SECURITY,
  id: 'python-external-entities',
  category: 'xxe',
  severity: 'high',
  confidence: 'high',
  message: 'The parser reads files and addresses that the XML text names.',
  help: 'Leave resolve_entities off, or use defusedxml.',
  language: 'python',
  looksAt: 'calls',
  names: ['XMLParser', 'make_parser'],
  judge: (call) =>
    call.named('resolve_entities')?.text() === 'True' ||
    call.named('no_network')?.text() === 'False'
      ? 'defect'
      : undefined,
};
