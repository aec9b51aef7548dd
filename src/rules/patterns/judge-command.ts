import type { SyntaxNode } from '../../pipeline/syntax-tree.ts';
import type { PatternFile } from './pattern-file.ts';
import type { Judgement } from './pattern-rule.ts';

/**
 * Whether a shell gets a command with data in it. One that is handed in whole may be a constant of
 * whoever calls: that is doubtful.
 */
export const judgeCommand = (
  command: SyntaxNode | undefined,
  file: PatternFile,
): Judgement | undefined => {
  if (command === undefined) return undefined;
  const pieces = file.pieces(command);
  const holes = pieces.filter((one) => one.kind === 'hole');
  if (holes.length === 0) return undefined;
  if (file.isChecked(command, CHECKED)) return 'doubtful';
  const isComposed = pieces.some((one) => one.kind === 'text' && one.text.trim() !== '');
  return isComposed || holes.some(({ isFromRequest }) => isFromRequest) ? 'defect' : 'doubtful';
};

/** Words of a check that we do not follow. */
const CHECKED =
  /is_numeric|ctype_|preg_match|filter_var|escapeshell|shlex|shellwords|shellescape|re\.(?:full)?match|allowed|whitelist|isdigit|\.IsMatch\(|MatchString\(|\.matches\(/i;

/** Whether data of a request gets there, and nothing in the function looks like a check of that data. */
export const judgeRequestData = (
  value: SyntaxNode | undefined,
  file: PatternFile,
  checks: RegExp,
): Judgement | undefined =>
  value !== undefined && file.isFromRequest(value) && !file.isChecked(value, checks)
    ? 'defect'
    : undefined;

/** The same of an address: data behind a fixed host chooses a page there, and no other host. */
export const judgeAddress = (
  address: SyntaxNode | undefined,
  file: PatternFile,
  checks: RegExp,
): Judgement | undefined => {
  if (address === undefined) return undefined;
  const first = file.pieces(address).find((one) => one.kind === 'hole' || one.text !== '');
  const isWhole = first?.kind === 'hole' || /^https?:\/\/$/.test(first?.text ?? '');
  return isWhole ? judgeRequestData(address, file, checks) : undefined;
};
