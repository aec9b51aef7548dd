import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const javaObjectInput: CallRule = {
  ...SECURITY,
  id: 'java-object-input',
  category: 'unsafe-deserialization',
  severity: 'high',
  confidence: 'medium',
  message: 'Reading a Java object makes objects of any class that the data names.',
  help: 'Read JSON into known classes, or set an ObjectInputFilter.',
  language: 'java',
  looksAt: 'calls',
  names: ['ObjectInputStream', 'XMLDecoder'],
  judge: (call, file) => {
    const data = call.at(0);
    if (data === undefined || /ObjectInputFilter|resolveClass/.test(file.text)) return undefined;
    return call.name === 'XMLDecoder' || file.isFromRequest(data) ? 'defect' : 'doubtful';
  },
};
