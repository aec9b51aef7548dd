import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const csharpGuessableToken: CallRule = {
  ...SECURITY,
  id: 'csharp-guessable-token',
  category: 'insecure-random',
  severity: 'medium',
  confidence: 'medium',
  message: 'System.Random is made for simulations: from some of its numbers the next ones follow.',
  help: 'Use RandomNumberGenerator.',
  language: 'csharp',
  looksAt: 'calls',
  names: ['Random'],
  judge: (call, file) =>
    call.receiver === undefined &&
    file.isGuarded(
      call.node,
      /\b\w*(?:[tT]oken|[oO]tp|[pP]assword|[sS]essionId|[nN]once|[sS]alt|[aA]piKey)\w*\s*(?:\(|=[^=])/,
    )
      ? 'defect'
      : undefined,
};
