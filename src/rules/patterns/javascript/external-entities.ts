import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { propertyOf } from '../syntax/javascript.ts';

export const javascriptExternalEntities: CallRule = {
  ...SECURITY,
  id: 'javascript-external-entities',
  category: 'xxe',
  severity: 'high',
  confidence: 'high',
  message: 'The parser reads files and addresses that the XML text names.',
  help: 'Leave noent off.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['parseXml', 'parseXmlString', 'parseXmlAsync'],
  judge: (call) => (propertyOf(call.at(1), 'noent')?.text() === 'true' ? 'defect' : undefined),
};
