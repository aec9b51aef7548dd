import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const javaArchivePaths: CallRule = {
  ...SECURITY,
  id: 'java-archive-paths',
  category: 'zip-slip',
  severity: 'medium',
  confidence: 'medium',
  message: 'Names in an archive can lead out of the folder that it is unpacked into.',
  help: 'Normalize the path, and require that it starts with the folder.',
  language: 'java',
  looksAt: 'calls',
  names: ['File', 'resolve'],
  judge: (call, file) => {
    const entry = call.args.map(({ value }) => shortText(value)).join(' ');
    if (
      !/\b\w*[eE]ntry\w*\.getName\(\)/.test(entry) ||
      !/\b(?:Zip|Tar|Jar)\w*Entry\b/.test(file.text)
    )
      return undefined;
    return file.isGuarded(
      call.node,
      /getCanonicalPath|getCanonicalFile|normalize|startsWith|toRealPath|"\.\."/,
    )
      ? undefined
      : 'defect';
  },
};
