import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const phpUnserialize: CallRule = {
  ...SECURITY,
  id: 'php-unserialize',
  category: 'unsafe-deserialization',
  severity: 'high',
  confidence: 'high',
  message: 'Unserializing makes objects of any class that the data names, and runs their methods.',
  help: 'Use json_decode, or allowed_classes => false.',
  language: 'php',
  looksAt: 'calls',
  names: ['unserialize'],
  judge: (call, file) => {
    const data = call.at(0);
    if (data === undefined || call.receiver !== undefined || file.isConstant(data))
      return undefined;
    if (
      /allowed_classes/.test(shortText(call.at(1), 1000)) ||
      shortText(data).startsWith('serialize(')
    )
      return undefined;
    return file.isFromRequest(data) ? 'defect' : 'doubtful';
  },
};
