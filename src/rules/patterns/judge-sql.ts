import type { SyntaxNode } from '../../pipeline/syntax-tree.ts';
import type { PatternFile } from './pattern-file.ts';
import type { Judgement } from './pattern-rule.ts';
import { shortText } from './short-text.ts';

const STATEMENT =
  /^\W*(?:select\b[^]*\bfrom\b|insert\s+(?:or\s+\w+\s+)?into\b|update\b[^]*\bset\b|delete\s+from\b|replace\s+into\b|with\b[^]*\bselect\b|exec(?:ute)?\s+\w)/i;
/** A name of a table or a column stands here, and no driver takes those as parameters. */
const NAME_PLACE =
  /(?:\b(?:from|into|update|table|join|by|select|distinct|set|as|exists|schema|index|view|on|only|limit|offset|asc|desc|where|and|or|returning|column)|[.(`"[\]])\s*$/i;
/** A value stands here. */
const VALUE_PLACE = /(?:=|<|>|\blike|\bin\s*\(|\bvalues\s*\([^)]*|\bbetween)\s*["'%(]*$|['"]%?$/i;
/** Names of what mostly is a number. */
const NUMBER = /(?:^|[._>:$])(?:\w*_)?(?:id|pk|lft|rgt|count|size|length|number|version)$|[a-z]Id$/;
/** Names of what is put together beforehand, from placeholders and names of columns. */
const PREPARED =
  /placeholder|column|field|table|schema|order|limit|offset|where|condition|clause|marks|params|binds|join|prefix|suffix|sql|select|query|filter|keys|cols/i;

/**
 * Whether a statement has data between its words where the driver would take a parameter.
 *
 * @param options.isCondition only what follows WHERE is given.
 */
export const judgeSql = (
  statement: SyntaxNode | undefined,
  file: PatternFile,
  { isCondition = false } = {},
): Judgement | undefined => {
  if (statement === undefined) return undefined;
  const pieces = file.pieces(statement);
  if (!pieces.some(({ kind }) => kind === 'hole')) return undefined;
  if (
    !isCondition &&
    !STATEMENT.test(pieces.map((one) => (one.kind === 'text' ? one.text : ' x ')).join(''))
  ) {
    return undefined;
  }
  let before = '';
  let found: Judgement | undefined;
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      before = `${before}${piece.text}`.slice(-200);
      continue;
    }
    const name = shortText(piece.node);
    const isValue = VALUE_PLACE.test(before) && !PREPARED.test(name);
    if (piece.isFromRequest && (before !== '' || !isCondition)) return 'defect';
    if (isValue && !NUMBER.test(name)) return 'defect';
    // A whole condition is made elsewhere, and most are lists or tables of values.
    if (isValue || (!isCondition && !NAME_PLACE.test(before) && !PREPARED.test(name))) {
      found = 'doubtful';
    }
    before = `${before} x `;
  }
  return found;
};
