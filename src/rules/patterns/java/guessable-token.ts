import { SECURITY, type CallRule } from '../pattern-rule.ts';

export const javaGuessableToken: CallRule = {
  ...SECURITY,
  id: 'java-guessable-token',
  category: 'insecure-random',
  severity: 'medium',
  confidence: 'medium',
  message:
    'java.util.Random is made for simulations: from some of its numbers the next ones follow.',
  help: 'Use SecureRandom.',
  language: 'java',
  looksAt: 'calls',
  names: ['Random', 'random', 'nextInt'],
  judge: (call, file) => {
    if (
      call.name === 'Random'
        ? call.receiver !== undefined || /import\s+java\.security\.SecureRandom/.test(file.text)
        : call.receiverText !== 'Math' || call.name !== 'random'
    )
      return undefined;
    return file.isGuarded(
      call.node,
      /\b\w*(?:[tT]oken|[oO]tp|[pP]assword|[sS]ession(?:Id|_id)|[nN]once|[sS]alt|[aA]pi[kK]ey)\w*\s*(?:\(|=[^=])/,
    )
      ? 'defect'
      : undefined;
  },
};
