import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const rubyCsrfOff: CallRule = {
  ...SECURITY,
  id: 'ruby-csrf-off',
  category: 'csrf',
  severity: 'medium',
  confidence: 'medium',
  message: 'Another site can send forms here in the name of who is logged in.',
  help: 'Leave the check on, or authenticate with a token in a header.',
  language: 'ruby',
  looksAt: 'calls',
  names: ['skip_before_action', 'skip_forgery_protection'],
  judge: (call, file) =>
    call.name === 'skip_forgery_protection' || call.at(0)?.text() === ':verify_authenticity_token'
      ? /< ActionController::API|ApiController|Webhook/i.test(file.text)
        ? undefined
        : 'defect'
      : undefined,
};
