import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const csharpArchivePaths: CallRule = {
  ...SECURITY,
  id: 'csharp-archive-paths',
  category: 'zip-slip',
  severity: 'medium',
  confidence: 'medium',
  message: 'Names in an archive can lead out of the folder that it is unpacked into.',
  help: 'Require that the full path starts with the folder.',
  language: 'csharp',
  looksAt: 'calls',
  names: ['Combine'],
  judge: (call, file) => {
    const isNamed = call.args.some(({ value }) => /^\w*[eE]ntry\.FullName$/.test(shortText(value)));
    return isNamed && !file.isGuarded(call.node, /StartsWith|IsSubPath|GetFileName/)
      ? 'defect'
      : undefined;
  },
};
