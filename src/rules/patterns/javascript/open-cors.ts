import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';
import { propertyOf } from '../syntax/javascript.ts';

export const javascriptOpenCors: CallRule = {
  ...SECURITY,
  id: 'javascript-open-cors',
  category: 'cors',
  severity: 'medium',
  confidence: 'high',
  message: 'Any site may ask with the cookies of who is logged in here, and read the answer.',
  help: 'List the origins that may, or leave credentials out.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['cors'],
  judge: (call) => {
    const options = call.at(0);
    if (propertyOf(options, 'credentials')?.text() !== 'true') return undefined;
    const origin = shortText(propertyOf(options, 'origin'));
    return /^(?:true|['"]\*['"]|\(?\w+,\w+\)?=>\w+\(null,true\))$/.test(origin)
      ? 'defect'
      : undefined;
  },
};
