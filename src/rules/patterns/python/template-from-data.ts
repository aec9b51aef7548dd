import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const pythonTemplateFromData: CallRule = {
  ...SECURITY,
  id: 'python-template-from-data',
  category: 'code-injection',
  severity: 'high',
  confidence: 'high',
  message: 'A template is made of data, and templates can run code.',
  help: 'Keep the template constant, and give the data to it as values.',
  language: 'python',
  looksAt: 'calls',
  names: ['render_template_string', 'from_string'],
  judge: (call, file) => {
    const template = call.at(0);
    if (template === undefined || file.isConstant(template)) return undefined;
    if (file.isFromRequest(template)) return 'defect';
    return call.name === 'render_template_string' ? 'doubtful' : undefined;
  },
};
