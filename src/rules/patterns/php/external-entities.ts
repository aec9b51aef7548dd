import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const phpExternalEntities: CallRule = {
  ...SECURITY,
  id: 'php-external-entities',
  category: 'xxe',
  severity: 'high',
  confidence: 'high',
  message: 'The parser reads files and addresses that the XML text names.',
  help: 'Leave LIBXML_NOENT and LIBXML_DTDLOAD out.',
  language: 'php',
  looksAt: 'calls',
  names: [
    'simplexml_load_string',
    'simplexml_load_file',
    'loadXML',
    'load',
    'SimpleXMLElement',
    'libxml_disable_entity_loader',
  ],
  judge: (call) => {
    if (call.name === 'libxml_disable_entity_loader')
      return shortText(call.at(0)) === 'false' ? 'defect' : undefined;
    return call.args.some(({ value }) => /\bLIBXML_NOENT\b/.test(shortText(value)))
      ? 'defect'
      : undefined;
  },
};
