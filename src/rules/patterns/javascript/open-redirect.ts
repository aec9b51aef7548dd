import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { judgeAddress } from '../judge-command.ts';

export const javascriptOpenRedirect: CallRule = {
  ...SECURITY,
  id: 'javascript-open-redirect',
  category: 'open-redirect',
  severity: 'medium',
  confidence: 'medium',
  message: 'A link to this site can lead to any other, chosen by whoever wrote the link.',
  help: 'Allow only paths of this site: those that begin with one slash.',
  language: 'javascript',
  looksAt: 'calls',
  names: ['redirect'],
  // The address stands last: a status may stand before it.
  judge: (call, file) =>
    /^(?:res|response|reply|ctx|this)$/.test(call.receiverText)
      ? judgeAddress(call.at(call.args.length - 1), file, /startsWith|new URL|allow|valid|safe/i)
      : undefined,
};
