import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const pythonTemplateUnescaped: CallRule = {
  ...SECURITY,
  id: 'python-template-unescaped',
  category: 'xss',
  severity: 'medium',
  confidence: 'high',
  message: 'Values come into the page as they are: a value with a tag in it is a tag.',
  help: 'Set autoescape=True or select_autoescape().',
  language: 'python',
  looksAt: 'calls',
  names: ['Environment'],
  judge: (call, file) =>
    /\bjinja2\b/.test(file.text) && call.named('autoescape')?.text() === 'False'
      ? 'defect'
      : undefined,
};
