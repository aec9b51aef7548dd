import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const rubyUnsafeLoad: CallRule = {
  ...SECURITY,
  id: 'ruby-unsafe-load',
  category: 'unsafe-deserialization',
  severity: 'high',
  confidence: 'high',
  message: 'Loading makes objects of any class that the data names.',
  help: 'Use JSON.parse or YAML.safe_load.',
  language: 'ruby',
  looksAt: 'calls',
  names: ['load', 'restore', 'unsafe_load', 'load_file'],
  judge: (call, file) => {
    const data = call.at(0);
    if (data === undefined || file.isConstant(data)) return undefined;
    const isYaml = /^(?:YAML|Psych)$/.test(call.receiverText);
    if (!isYaml && call.receiverText !== 'Marshal') return undefined;
    if (isYaml && call.name === 'load_file') return undefined;
    if (/Marshal\.dump|to_yaml/.test(shortText(data))) return undefined;
    if (file.isFromRequest(data)) return 'defect';
    // Since Psych 4 load is safe_load.
    return isYaml && call.name === 'load' ? undefined : 'doubtful';
  },
};
