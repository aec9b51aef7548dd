import type { SyntaxNode } from '../../pipeline/syntax-tree.ts';
import { readCall, type Call } from './call.ts';
import type { Scopes } from './scopes.ts';
import { lengthOf, shortText } from './short-text.ts';
import type { LanguageSyntax } from './syntax/language-syntax.ts';

/** What an expression is put together from, in the order of the text. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'hole';
      readonly node: SyntaxNode;
      readonly isFromRequest: boolean;
    };

/** An expression of more parts, and one that goes through more names, is told no further. */
const STEPS_MAX = 200;
const NAMES_MAX = 6;
const LENGTH_MAX = 10_000;

/** Values of numbers, truth values, symbols: nobody writes a command into them. */
const CONSTANT =
  /^(?:integer|float|number|int_literal|float_literal|imaginary_literal|decimal_integer_literal|decimal_floating_point_literal|hex_integer_literal|integer_literal|real_literal|true|false|none|null|nil|undefined|null_literal|boolean|boolean_literal|character_literal|simple_symbol|hash_key_symbol|class_literal|rune_literal|regex|lambda|arrow_function|function_expression|string_start|string_end|comment)$/;

const STRING =
  /^(?:string|string_literal|template_string|encapsed_string|interpreted_string_literal|raw_string_literal|interpolated_string_expression|verbatim_string_literal|heredoc|heredoc_body|nowdoc|nowdoc_body|bare_string|subshell|shell_command_expression)$/;
const CONTENT =
  /^(?:string_content|string_fragment|multiline_string_fragment|escape_sequence|interpreted_string_literal_content|raw_string_literal_content|string_literal_content|raw_string_content|nowdoc_string)$/;
const STRING_MARK =
  /^(?:string_start|string_end|heredoc_start|heredoc_end|interpolation_start|interpolation_quote|string_literal_encoding)$/;
const HOLE = /^(?:interpolation|template_substitution)$/;
const HOLE_MARK =
  /^(?:interpolation_brace|type_conversion|format_specifier|interpolation_format_clause|interpolation_alignment_clause)$/;

/** Only what it holds counts. */
const WRAP =
  /^(?:parenthesized_expression|parenthesized_statements|await|await_expression|concatenated_string|chained_string|heredoc_body|expression_list|as_expression|non_null_expression|satisfies_expression|argument|tuple|literal_element|unary_expression)$/;
const SUM = /^(?:binary_expression|binary_operator|binary|boolean_operator)$/;
const CHOICE = /^(?:conditional_expression|ternary_expression|conditional)$/;

const NUMBER_TYPE = /^(?:int(?:eger)?|float|double|bool(?:ean)?|long|short|decimal|Integer|Long)$/i;

/** What gives a number, or a text that cannot leave its quotes. */
const HARMLESS =
  /^(?:u?int\w*|float\w*|double|long|decimal|bool(?:ean)?|len|length|size|count|round|floor|ceil|abs|min|max|intval|floatval|to_i|to_f|toInt|parseInt|parseFloat|Number|Atoi|Itoa|ParseInt|FormatInt|hashCode|hash|time|now|md5|sha1|sha256|sha512|hexdigest|crc32|uuid\w*|UUID|NewGuid|randomUUID|\w*(?:quote|escape|sanitiz|shellwords|placeholder|htmlspecialchars|htmlentities|encode)\w*)$/i;

/** What gives its text on, or puts it together with others. */
const PASSES_ON =
  /^(?:str|String|strip|trim|lower|upper|toLowerCase|toUpperCase|ToLower|ToUpper|toString|ToString|to_s|valueOf|join|Join|Combine|Path|abspath|normpath|expanduser|concat|bytes|byte|getBytes|TrimSpace|ltrim|rtrim|base64_decode|urldecode|rawurldecode|stripslashes|str_replace|strtolower|strtoupper|implode|unquote|b64decode)$/;

/** Names that the whole field reserves for what never changes. */
const CONSTANT_NAME = /(?:^|[.:>$])_{0,2}[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_{0,2}$/;

/** Where values go into a format, in most of the languages. */
const PLACE = /%(?:\([^)]{0,50}\))?[-+#0 ]{0,3}\d{0,3}(?:\.\d{1,3})?[a-zA-Z]|\{[^{}]{0,50}\}/g;

export const piecesOf = (
  expression: SyntaxNode,
  syntax: LanguageSyntax,
  scopes: () => Scopes,
): readonly Piece[] => {
  const pieces: Piece[] = [];
  let steps = 0;
  type Todo = { readonly node: SyntaxNode; readonly names: number } | { readonly text: string };
  // The next one is at the end.
  const todo: Todo[] = [{ node: expression, names: 0 }];
  const later = (nodes: readonly SyntaxNode[], names: number): void => {
    for (const node of nodes.toReversed()) todo.push({ node, names });
  };
  const hole = (node: SyntaxNode, isFromRequest = syntax.request.test(shortText(node, 1000))) =>
    pieces.push({ kind: 'hole', node, isFromRequest });

  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if ('text' in next) {
      pieces.push({ kind: 'text', text: next.text });
      continue;
    }
    steps += 1;
    // What is not told further gives no alarm: being unsure is no defect.
    if (steps > STEPS_MAX || lengthOf(next.node) > LENGTH_MAX) continue;
    const { node, names } = next;
    const kind = String(node.kind());
    if (CONTENT.test(kind)) {
      pieces.push({ kind: 'text', text: node.text() });
    } else if (CONSTANT.test(kind) || STRING_MARK.test(kind) || HOLE_MARK.test(kind)) {
      continue;
    } else if (STRING.test(kind)) {
      const children = node.namedChildren();
      if (children.length > 0) later(children, names);
      else
        pieces.push({ kind: 'text', text: node.text().replace(/^[@$bru]*["'`]+|["'`]+$/gi, '') });
    } else if (HOLE.test(kind) || WRAP.test(kind)) {
      later(node.namedChildren(), names);
    } else if (SUM.test(kind)) {
      const operator = node.field('operator')?.text() ?? '+';
      const [left, right] = [node.field('left'), node.field('right')];
      if (operator === '%' && left !== null && right !== null) {
        todo.push(...formatted(left, [right], names));
      } else if (/^(?:\+|\.|\|\||\?\?|or|and|&&|<<|\?:)$/.test(operator)) {
        later(
          [left, right].filter((side) => side !== null),
          names,
        );
      }
    } else if (kind === 'cast_expression') {
      const [type, value] = [node.field('type'), node.field('value')];
      if (value !== null && !NUMBER_TYPE.test(type?.text() ?? '')) later([value], names);
    } else if (CHOICE.test(kind)) {
      later(node.namedChildren().slice(1), names);
    } else if (syntax.names.has(kind)) {
      const name = node.text();
      if (CONSTANT_NAME.test(name) && !name.startsWith('$_')) continue;
      if (syntax.request.test(name)) {
        hole(node, true);
        continue;
      }
      const meaning = scopes().meaningOf(name, node.range().start.index);
      if (meaning.kind === 'values' && names < NAMES_MAX) later(meaning.values, names + 1);
      else hole(node, meaning.kind === 'parameter' && meaning.isFromRequest);
    } else {
      const call = readCall(node, syntax);
      if (call === undefined) {
        if (!CONSTANT_NAME.test(shortText(node)) || syntax.request.test(shortText(node)))
          hole(node);
      } else if (syntax.formats.has(call.name)) {
        const values = call.args.map(({ value }) => value);
        const isOfText = call.receiver !== undefined && isText(call.receiver, syntax, scopes);
        const [first, ...rest] = isOfText ? [call.receiver, ...values] : values;
        if (first !== undefined) todo.push(...formatted(first, rest, names));
      } else if (isPassedOn(call)) {
        const passed = call.args.map(({ value }) => value);
        later(call.receiver === undefined ? passed : [call.receiver, ...passed], names);
      } else if (!HARMLESS.test(call.name)) {
        // What a request gives is from it; what some function makes of that need not be.
        const begins = syntax.request.exec(shortText(node, 1000))?.index ?? Infinity;
        hole(node, begins <= call.receiverText.length + call.name.length);
      }
    }
  }
  return pieces;

  /** The texts of a format with its values between them. */
  function formatted(
    format: SyntaxNode,
    values: readonly SyntaxNode[],
    names: number,
  ): readonly Todo[] {
    const flat = values.flatMap((value) =>
      /^(?:tuple|array)$/.test(String(value.kind())) && lengthOf(value) <= LENGTH_MAX
        ? value.namedChildren()
        : [value],
    );
    const text = plainText(format, syntax, scopes);
    if (text === undefined) {
      return [...flat.toReversed(), format].map((node) => ({ node, names }));
    }
    const between = text.split(PLACE);
    const places = text.match(PLACE) ?? [];
    const found: Todo[] = [{ text: between[0] ?? '' }];
    for (const [index, place] of places.slice(0, STEPS_MAX).entries()) {
      const value = flat[index];
      if (value !== undefined && !/^%.*[dfiuxXeEgc]$/.test(place))
        found.push({ node: value, names });
      found.push({ text: between[index + 1] ?? '' });
    }
    return found.toReversed();
  }
};

const isPassedOn = ({ name, receiver, args }: Call): boolean => {
  // Bytes of a text; with a value between the brackets it is some encoder's work.
  if (name === 'encode' || name === 'decode') {
    return receiver !== undefined && args.every(({ value }) => STRING.test(String(value.kind())));
  }
  return PASSES_ON.test(name) && !isSeparator(receiver);
};

/** `", ".join(names)` puts together what was made elsewhere. */
const isSeparator = (node: SyntaxNode | undefined): boolean =>
  node !== undefined && STRING.test(String(node.kind()));

/** Whether it is written as a text, or a name of one. */
const isText = (node: SyntaxNode, syntax: LanguageSyntax, scopes: () => Scopes): boolean =>
  plainText(node, syntax, scopes) !== undefined;

/** The text that an expression stands for, when nothing of it is computed. */
const plainText = (
  expression: SyntaxNode,
  syntax: LanguageSyntax,
  scopes: () => Scopes,
): string | undefined => {
  let texts = '';
  const todo: SyntaxNode[] = [expression];
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const node = todo.pop();
    if (node === undefined) return texts;
    if (lengthOf(node) > LENGTH_MAX) return undefined;
    const kind = String(node.kind());
    if (CONTENT.test(kind)) texts += node.text();
    else if (STRING_MARK.test(kind)) continue;
    else if (STRING.test(kind) || WRAP.test(kind)) {
      const children = node.namedChildren();
      if (children.length === 0) texts += node.text().replace(/^[@$bru]*["'`]+|["'`]+$/gi, '');
      todo.push(...children.toReversed());
    } else if (SUM.test(kind) && node.field('operator')?.text() !== '%') {
      const sides = [node.field('right'), node.field('left')];
      todo.push(...sides.filter((side) => side !== null));
    } else if (syntax.names.has(kind) && node !== expression) return undefined;
    else if (syntax.names.has(kind)) {
      const meaning = scopes().meaningOf(node.text(), node.range().start.index);
      const only = meaning.kind === 'values' ? meaning.values[0] : undefined;
      if (only === undefined || (meaning.kind === 'values' && meaning.values.length > 1)) {
        return undefined;
      }
      todo.push(only);
    } else return undefined;
  }
  return undefined;
};
