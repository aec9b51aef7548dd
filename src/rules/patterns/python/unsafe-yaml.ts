import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const pythonUnsafeYaml: CallRule = {
  ...SECURITY,
  id: 'python-unsafe-yaml',
  category: 'unsafe-deserialization',
  severity: 'high',
  confidence: 'high',
  message: 'This loader makes objects of any class that the YAML text names.',
  help: 'Use yaml.safe_load, or Loader=yaml.SafeLoader.',
  language: 'python',
  looksAt: 'calls',
  names: ['load', 'load_all', 'unsafe_load', 'unsafe_load_all'],
  judge: (call, file) => {
    if (call.receiverText !== 'yaml') return undefined;
    const data = call.at(0);
    if (data === undefined || file.isConstant(data)) return undefined;
    if (call.name.startsWith('unsafe')) return 'defect';
    const loader = call.named('Loader') ?? call.at(1);
    if (loader === undefined) return 'defect';
    return /^(?:yaml\.)?(?:C?Unsafe)?C?Loader$/.test(shortText(loader)) ? 'defect' : undefined;
  },
};
