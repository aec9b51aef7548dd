import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const goGuessableToken: CallRule = {
  ...SECURITY,
  id: 'go-guessable-token',
  category: 'insecure-random',
  severity: 'medium',
  confidence: 'medium',
  message: 'math/rand is made for simulations: from some of its numbers the next ones follow.',
  help: 'Use crypto/rand.',
  language: 'go',
  looksAt: 'calls',
  names: ['Intn', 'Int', 'Int63', 'Int31n', 'Int63n', 'Uint32', 'Read', 'IntN'],
  judge: (call, file) => {
    if (call.receiverText !== 'rand' || !/"math\/rand(?:\/v2)?"/.test(file.text)) return undefined;
    return file.isGuarded(
      call.node,
      /func\s[^{]*\b\w*(?:[tT]oken|[pP]assword|OTP|[oO]tp|[sS]ession(?:ID|Id)|[nN]once|[sS]ecret|[aA][pP][iI][kK]ey)\w*\(/,
    )
      ? 'defect'
      : undefined;
  },
};
