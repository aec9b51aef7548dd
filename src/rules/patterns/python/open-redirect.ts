import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const pythonOpenRedirect: CallRule = {
  ...SECURITY,
  id: 'python-open-redirect',
  category: 'open-redirect',
  severity: 'medium',
  confidence: 'medium',
  message: 'A link to this site can lead to any other, chosen by whoever wrote the link.',
  help: 'Allow only paths of this site (url_has_allowed_host_and_scheme).',
  language: 'python',
  looksAt: 'calls',
  names: ['redirect', 'HttpResponseRedirect', 'RedirectResponse'],
  judge: (call, file) =>
    judgeAddress(
      call.at(0) ?? call.named('url'),
      file,
      /allowed_host|is_safe|urlparse|urlsplit|netloc|startswith|allow|valid/i,
    ),
};
