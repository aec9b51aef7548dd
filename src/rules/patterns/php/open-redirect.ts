import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeRequestData } from '../judge-command.ts';
import { shortText } from '../short-text.ts';

export const phpOpenRedirect: CallRule = {
  ...SECURITY,
  id: 'php-open-redirect',
  category: 'open-redirect',
  severity: 'medium',
  confidence: 'medium',
  message: 'A link to this site can lead to any other, chosen by whoever wrote the link.',
  help: 'Allow only paths of this site.',
  language: 'php',
  looksAt: 'calls',
  names: ['header'],
  judge: (call, file) => {
    const header = call.at(0);
    if (header === undefined || call.receiver !== undefined) return undefined;
    const [first, second] = file.pieces(header);
    const isWhole =
      first?.kind === 'text' && /^location:\s*$/i.test(first.text) && second?.kind === 'hole';
    return isWhole && second.isFromRequest && !/_SERVER/.test(shortText(second.node))
      ? judgeRequestData(
          header,
          file,
          /parse_url|strpos|str_starts_with|in_array|preg_match|filter_var/,
        )
      : undefined;
  },
};
