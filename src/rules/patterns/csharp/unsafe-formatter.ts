import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const csharpUnsafeFormatter: CallRule = {
  ...SECURITY,
  id: 'csharp-unsafe-formatter',
  category: 'unsafe-deserialization',
  severity: 'high',
  confidence: 'high',
  message: 'This formatter makes objects of any class that the data names.',
  help: 'Use System.Text.Json with known classes.',
  language: 'csharp',
  looksAt: 'calls',
  names: [
    'BinaryFormatter',
    'NetDataContractSerializer',
    'LosFormatter',
    'SoapFormatter',
    'ObjectStateFormatter',
  ],
  judge: (_call, file) => (/\bDeserialize\(/.test(file.text) ? 'defect' : 'doubtful'),
};
