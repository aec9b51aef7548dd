import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { propertyOf } from '../syntax/javascript.ts';

export const javascriptInsecureCookie: CallRule = {
  ...SECURITY,
  id: 'javascript-insecure-cookie',
  category: 'insecure-cookie',
  severity: 'low',
  confidence: 'high',
  message: 'The cookie goes over plain connections too, or scripts in the page can read it.',
  help: 'Set secure and httpOnly to true.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['cookie', 'session', 'cookieSession', 'setCookie'],
  judge: (call) => {
    const options = call.args
      .map(({ value }) => value)
      .findLast((value) => value.kind() === 'object');
    const flags = call.name === 'session' ? propertyOf(options, 'cookie') : options;
    return ['secure', 'httpOnly'].some((flag) => propertyOf(flags, flag)?.text() === 'false')
      ? 'defect'
      : undefined;
  },
};
