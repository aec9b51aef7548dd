import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const rubyOpenRedirect: CallRule = {
  ...SECURITY,
  id: 'ruby-open-redirect',
  category: 'open-redirect',
  severity: 'medium',
  confidence: 'medium',
  message: 'A link to this site can lead to any other, chosen by whoever wrote the link.',
  help: 'Allow only paths of this site; leave allow_other_host off.',
  language: 'ruby',
  looksAt: 'calls',
  names: ['redirect_to'],
  judge: (call, file) =>
    call.named('allow_other_host')?.text() === 'false'
      ? undefined
      : judgeAddress(call.at(0), file, /url_from|start_with\?|allowed|URI\.parse|valid|safe/),
};
