import { createHash } from 'node:crypto';
import { contentOf, identityOf, type Input } from './table.ts';

/**
 * Where we differ from the predecessor on purpose. A rule says by a predicate over the input for which
 * cases, whatever their names, and what we give instead, made without our own code.
 */
export type Rule = {
  readonly name: string;
  readonly reason: string;
  readonly applies: (set: string, input: Input) => boolean;
  readonly expected: (input: Input, expected: unknown) => unknown;
};

export const RULES: readonly Rule[] = [
  {
    name: 'keys stand in code-unit order',
    reason:
      'The predecessor sorts keys as the locale of the machine has it, so that one content has several ' +
      'identities. Ours are the same everywhere.',
    applies: (set, input) => set === 'content-hash' && hasOtherOrder(contentOf(input)),
    expected: (input) => ({
      canonical: inCodeUnitOrder(contentOf(input)),
      sha256: createHash('sha256')
        .update(inCodeUnitOrder(identityOf(input)))
        .digest('hex'),
    }),
  },
  {
    name: 'inside Claude Code the host itself works',
    reason:
      'The predecessor chooses a Claude Code within Claude Code, which it then refuses to start, and ' +
      'stands still. Unasked we choose what can work there: the conversation that runs us.',
    applies: (set, { explicit, config, env }) => {
      const word = explicit ?? (config as Input | null)?.['provider'];
      const isLeftOpen =
        word === undefined ||
        word === null ||
        word === 'auto' ||
        (word === 'local-subprocess' && (explicit ?? undefined) === undefined);
      return (
        set === 'resolve-provider' &&
        isLeftOpen &&
        isSet(env, 'CLAUDECODE') &&
        !isSet(env, 'OPENCODE')
      );
    },
    expected: () => ({ provider: 'local-subprocess', lookups: [] }),
  },
];

const isSet = (env: unknown, name: string): boolean => Boolean((env as Input | null)?.[name]);

const collator = new Intl.Collator('en');

/** Whether somewhere in it a locale orders the keys of an object in another way than code units do. */
const hasOtherOrder = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasOtherOrder);
  const keys = Object.keys(value).filter((key) => (value as Input)[key] !== undefined);
  const byLocale = keys.toSorted((left, right) => collator.compare(left, right));
  const byCodeUnits = keys.toSorted();
  return (
    byLocale.some((key, index) => key !== byCodeUnits[index]) ||
    Object.values(value).some(hasOtherOrder)
  );
};

/** JSON whose keys stand in code-unit order, written out: an object would put numbers first. */
const inCodeUnitOrder = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inCodeUnitOrder).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const keys = Object.keys(value).filter((key) => (value as Input)[key] !== undefined);
  const fields = keys
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${inCodeUnitOrder((value as Input)[key])}`);
  return `{${fields.join(',')}}`;
};
