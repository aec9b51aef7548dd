import { SECURITY, type CallRule } from '../pattern-rule.ts';
import { shortText } from '../short-text.ts';

export const goArchivePaths: CallRule = {
  ...SECURITY,
  id: 'go-archive-paths',
  category: 'zip-slip',
  severity: 'medium',
  confidence: 'medium',
  message: 'Names in an archive can lead out of the folder that it is unpacked into.',
  help: 'Require filepath.IsLocal of each name.',
  language: 'go',
  looksAt: 'calls',
  names: ['Join'],
  judge: (call, file) => {
    if (!/^(?:filepath|path)$/.test(call.receiverText) || !/"archive\/(?:zip|tar)"/.test(file.text))
      return undefined;
    const named = call.args.some(({ value }) =>
      /^(?:f|file|zf|entry|header|hdr|h|zipFile|tarHeader|th)\.Name$/.test(shortText(value)),
    );
    return named &&
      !file.isGuarded(call.node, /HasPrefix|IsLocal|Contains\(|\.Rel\(|SecureJoin|filepath\.Base/)
      ? 'defect'
      : undefined;
  },
};
