import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const javaExternalEntities: CallRule = {
  ...SECURITY,
  id: 'java-external-entities',
  category: 'xxe',
  severity: 'medium',
  confidence: 'medium',
  message: 'The parser reads files and addresses that an XML text names.',
  help: 'Set the feature http://apache.org/xml/features/disallow-doctype-decl.',
  language: 'java',
  looksAt: 'calls',
  names: ['newInstance', 'newFactory', 'newDefaultInstance'],
  judge: (call, file) => {
    if (
      !/(?:^|\.)(?:DocumentBuilderFactory|SAXParserFactory|XMLInputFactory)$/.test(
        call.receiverText,
      )
    )
      return undefined;
    const isSet =
      /disallow-doctype-decl|external-general-entities|FEATURE_SECURE_PROCESSING|SUPPORT_DTD|IS_SUPPORTING_EXTERNAL_ENTITIES|ACCESS_EXTERNAL|setEntityResolver|secure-processing/;
    return isSet.test(file.text) || !/\.parse\(|createXML\w+Reader\(/.test(file.text)
      ? undefined
      : 'defect';
  },
};
