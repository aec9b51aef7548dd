/**
 * Takes secrets out of what a child wrote, before anything is stored or shown.
 *
 * Bytes are taken as Latin-1 on the way, which loses none of them, whatever their encoding is.
 */
export type Redaction = {
  /** Secret values of the environment, and whatever has the shape of a well-known token. */
  readonly output: (bytes: Uint8Array) => Uint8Array;
  /**
   * Secret values only. An answer quotes the audited source, and a quote that was changed is not
   * found again: tokens that stand in the source are masked later, when the finding is kept.
   */
  readonly answer: (bytes: Uint8Array) => Uint8Array;
};

export const REDACTED = '[redacted]';

/** @param environments the environments whose secrets a child may know. */
export const createRedaction = (
  ...environments: readonly Readonly<Record<string, string | undefined>>[]
): Redaction => {
  const values = new Set(environments.flatMap(secretValues).flatMap(spellings));
  // The longer first: one value may be a part of another.
  const ordered = [...values].toSorted((left, right) => right.length - left.length);
  const withoutValues = (text: string): string =>
    ordered.reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
  const withoutCutValues = (text: string): string => ordered.reduce(withoutCutValue, text);
  const withoutTokens = (text: string): string =>
    TOKEN_SHAPES.reduce((rest, [shape, kept]) => rest.replace(shape, kept), text);
  return {
    output: (bytes) =>
      mapText(bytes, (text) => withoutTokens(withoutCutValues(withoutValues(text)))),
    answer: (bytes) => mapText(bytes, withoutValues),
  };
};

const SECRET_NAME =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|PRIVATE|KEY(_|$)|_AUTH$|AUTHORIZATION/i;

const secretValues = (
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] =>
  Object.entries(environment)
    .filter(([name, value]) => SECRET_NAME.test(name) && value !== undefined && isTelling(value))
    .map(([, value]) => value ?? '');

/** `changeme` and `password` are secrets too, but masking them would make any text unreadable. */
const isTelling = (value: string): boolean =>
  value.length >= 16 || (value.length >= 8 && /\d/.test(value) && /[a-z]/i.test(value));

/** A value as it stands, in a URL and in JSON. */
const spellings = (value: string): readonly string[] =>
  [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)].map((text) =>
    Buffer.from(text).toString('latin1'),
  );

/** Output is cut at a number of bytes, perhaps in the middle of a value. */
const withoutCutValue = (text: string, value: string): string => {
  for (let length = value.length - 1; length >= CUT_CHARACTERS_MIN; length -= 1) {
    if (text.endsWith(value.slice(0, length))) return text.slice(0, -length) + REDACTED;
  }
  return text;
};
const CUT_CHARACTERS_MIN = 6;

const TOKEN_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\bsk-[A-Za-z0-9_-]{16,}/g, REDACTED],
  [/\b(?:gh[oprsu]|glpat|npm|hf|pypi)[_-][A-Za-z0-9_-]{16,}/g, REDACTED],
  [/\bgithub_pat_\w{20,}/g, REDACTED],
  [/\bxox[a-z]-[A-Za-z0-9-]{10,}/g, REDACTED],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, REDACTED],
  [/\bAIza[A-Za-z0-9_-]{35}/g, REDACTED],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, REDACTED],
  [/\b(Bearer|Basic) +[A-Za-z0-9._~+/=-]{12,}/gi, `$1 ${REDACTED}`],
  [/(:\/\/[^\s/:@]*):[^\s/@]+@/g, `$1:${REDACTED}@`],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, REDACTED],
];

/** The same bytes when nothing was found in them. */
const mapText = (bytes: Uint8Array, map: (text: string) => string): Uint8Array => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const mapped = map(text);
  return mapped === text ? bytes : new Uint8Array(Buffer.from(mapped, 'latin1'));
};
