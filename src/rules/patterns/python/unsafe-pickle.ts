import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const pythonUnsafePickle: CallRule = {
  ...SECURITY,
  id: 'python-unsafe-pickle',
  category: 'unsafe-deserialization',
  severity: 'high',
  confidence: 'high',
  message: 'Unpickling runs code that is named in the data.',
  help: 'Use json or another format that holds data only; or sign the data and check the signature first.',
  language: 'python',
  looksAt: 'calls',
  names: ['load', 'loads', 'Unpickler'],
  judge: (call, file) => {
    const data = call.at(0);
    if (!/^(?:c?[pP]ickle|_pickle|dill|cloudpickle|joblib|jsonpickle)$/.test(call.receiverText))
      return undefined;
    if (data === undefined || file.isConstant(data)) return undefined;
    if (/dumps\(/.test(shortText(data))) return undefined;
    return file.isFromRequest(data) ? 'defect' : 'doubtful';
  },
};
