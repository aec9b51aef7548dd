import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const rubyMassAssignment: CallRule = {
  ...SECURITY,
  id: 'ruby-mass-assignment',
  category: 'mass-assignment',
  severity: 'medium',
  confidence: 'high',
  message: 'A request may set every attribute, also those that no form shows.',
  help: 'Name the attributes: params.require(:user).permit(:name).',
  language: 'ruby',
  looksAt: 'calls',
  names: ['permit!'],
  judge: (call) => (/params/.test(call.receiverText) ? 'defect' : undefined),
};
