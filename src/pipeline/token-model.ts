/**
 * How many tokens a text makes, without a tokenizer: bytes per token by language, measured.
 *
 * How the figures were got: up to 120 files of 1 to 60 kB of each language, from the npm packages
 * fastify 5.12.8, typeorm 0.3.31, date-fns 4.4.0, bootstrap 5.3.9, @capacitor/android 8.5.2 and
 * react-native-reanimated 4.8.0, from Python's and Perl's standard libraries and from C and C++ system
 * headers. Each text went through three tokenizers: o200k_base and cl100k_base (gpt-tokenizer) and
 * that of @anthropic-ai/tokenizer. The figure is bytes over tokens of all files together by the one
 * that made the most tokens, in each case the last, rounded down: another model rather needs fewer.
 */
const MEASURED: readonly (readonly [bytesPerToken: number, languages: readonly string[]])[] = [
  [3.7, ['TypeScript', 'TSX', 'PHP']],
  [3.4, ['JavaScript', 'JSX', 'Vue', 'Svelte']],
  [3.8, ['Python']],
  [4.4, ['Java', 'Kotlin']],
  [2.9, ['C', 'CSS', 'SCSS', 'Less', 'HTML', 'JSON', 'JSON with Comments', 'JSON5']],
  [3.3, ['C++', 'Markdown', 'MDX', 'Text', 'reStructuredText', 'AsciiDoc']],
  [3.0, ['SQL']],
  [2.7, ['YAML', 'TOML']],
  [2.3, ['SVG']],
];
const BYTES_PER_TOKEN = new Map(
  MEASURED.flatMap(([ratio, languages]) => languages.map((language) => [language, ratio])),
);

/** The least of the languages in which programs are written (Perl and shells): of what is not listed. */
const OTHER_BYTES_PER_TOKEN = 2.8;

/**
 * What workers' tools add when they show a file: a number and a tab before each line. Measured over
 * 2,000 lines: 3.6 (@anthropic-ai/tokenizer) to 4.5 (o200k_base) tokens a line.
 */
export const LINE_NUMBER_TOKENS = 4;

/** Of our prompts (English, names, JSON). The lowest over three projects: 2.94. */
const PROMPT_BYTES_PER_TOKEN = 2.9;

export const bytesPerToken = (language: string): number =>
  BYTES_PER_TOKEN.get(language) ?? OTHER_BYTES_PER_TOKEN;

/** Estimated tokens of reading a file once, with numbered lines. */
export const fileTokens = (file: {
  readonly language: string;
  readonly size: number;
  readonly lines: number;
}): number => Math.ceil(file.size / bytesPerToken(file.language) + file.lines * LINE_NUMBER_TOKENS);

/** Estimated tokens of so many bytes of a prompt. */
export const promptTokens = (bytes: number): number => Math.ceil(bytes / PROMPT_BYTES_PER_TOKEN);

const ENCODER = new TextEncoder();
/** From this length on it is faster to encode a text than to look at each of its units. */
const ENCODED_FROM = 100;

/** Bytes of a text as UTF-8. */
export const utf8Length = (text: string): number => {
  if (text.length > ENCODED_FROM) return ENCODER.encode(text).length;
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is four bytes: two units, and one more for each of them.
    length += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return length;
};
