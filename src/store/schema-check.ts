import type { z } from 'zod';

/** Says whether a JSON value passes, without making anything. */
export type Check = (value: unknown) => boolean;

/**
 * A fast yes for a zod schema. When the check says yes, zod takes the value and gives back the same;
 * when it says no, ask zod, whose word and whose message count.
 *
 * Why: replaying a long log spends more time in zod's copies than in anything else, and the log's
 * schemas only look and never change a value. Schemas with anything that this file does not know (a
 * transformation, a default, a refinement) give undefined, so a wrong yes cannot come from there.
 */
export const compileCheck = (schema: z.core.$ZodType): Check | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'string') return all(isString, checksOf(schema, def));
  if (def.type === 'number') return all(isFiniteNumber, checksOf(schema, def));
  if (def.type === 'boolean') return (value) => typeof value === 'boolean';
  if (def.type === 'literal') return oneOf(def.values);
  if (def.type === 'enum') return oneOf(Object.values(def.entries));
  if (def.type === 'optional') {
    const inner = compileCheck(def.innerType);
    return inner && ((value) => value === undefined || inner(value));
  }
  if (def.type === 'array') return arrayCheck(compileCheck(def.element), checksOf(schema, def));
  if (def.type === 'object') return def.checks?.length ? undefined : objectCheck(def);
  if (def.type === 'union' && 'discriminator' in def) {
    return discriminatedCheck(def as z.core.$ZodDiscriminatedUnionDef);
  }
  return undefined;
};

const isString: Check = (value) => typeof value === 'string';
const isFiniteNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);

const oneOf = (values: readonly unknown[]): Check => {
  const [only] = values;
  if (values.length === 1) return (value) => value === only;
  const allowed = new Set(values);
  return (value) => allowed.has(value);
};

const all = (first: Check, rest: readonly Check[] | undefined): Check | undefined => {
  if (rest === undefined) return undefined;
  const [second, third] = rest;
  if (second === undefined) return first;
  if (third === undefined) return (value) => first(value) && second(value);
  return (value) => first(value) && rest.every((check) => check(value));
};

/** The refinements of a string, a number or an array; formats are refinements of themselves. */
const checksOf = (
  schema: z.core.$ZodType,
  def: { readonly checks?: readonly z.core.$ZodCheck<never>[] | undefined },
): readonly Check[] | undefined => {
  const own = 'check' in def ? [schema as unknown as z.core.$ZodCheck<never>] : [];
  const checks = [...own, ...(def.checks ?? [])].map(refinement);
  return checks.every((check) => check !== undefined) ? checks : undefined;
};

const refinement = (check: z.core.$ZodCheck<never>): Check | undefined => {
  const { def } = check._zod as unknown as z.core.$ZodChecks['_zod'];
  if (def.check === 'number_format') {
    return def.format === 'safeint' ? Number.isSafeInteger : undefined;
  }
  if (def.check === 'greater_than') {
    const { value: least, inclusive } = def;
    if (typeof least !== 'number') return undefined;
    return (value) => (value as number) > least || (inclusive && value === least);
  }
  if (def.check === 'min_length') {
    return (value) => (value as { length: number }).length >= def.minimum;
  }
  if (def.check === 'max_length') {
    return (value) => (value as { length: number }).length <= def.maximum;
  }
  if (def.check === 'string_format') {
    const { pattern } = def;
    const isPatternAlone = def.format === 'regex' || def.format === 'datetime';
    if (!isPatternAlone || pattern === undefined || pattern.flags !== '') return undefined;
    return (value) => pattern.test(value as string);
  }
  return undefined;
};

const arrayCheck = (
  element: Check | undefined,
  rest: readonly Check[] | undefined,
): Check | undefined =>
  element &&
  rest &&
  ((value) => Array.isArray(value) && value.every(element) && rest.every((check) => check(value)));

const objectCheck = (def: z.core.$ZodObjectDef): Check | undefined => {
  const fields: { readonly key: string; readonly check: Check }[] = [];
  for (const [key, schema] of Object.entries(def.shape)) {
    const check = compileCheck(schema);
    if (check === undefined || key === '__proto__') return undefined;
    fields.push({ key, check });
  }
  const extra = def.catchall && (def.catchall as z.core.$ZodTypes)._zod.def.type;
  // Without a catchall zod drops unknown fields: that changes the value.
  if (extra !== 'never' && extra !== 'unknown') return undefined;
  const hasEveryField = (value: object): number => {
    let present = 0;
    for (const { key, check } of fields) {
      const field = (value as Record<string, unknown>)[key];
      if (!check(field)) return -1;
      if (field !== undefined) present += 1;
    }
    return present;
  };
  const isStrict = extra === 'never';
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const present = hasEveryField(value);
    return present >= 0 && (!isStrict || countKeys(value) === present);
  };
};

const countKeys = (value: object): number => {
  let count = 0;
  for (const _ in value) count += 1;
  return count;
};

const discriminatedCheck = (def: z.core.$ZodDiscriminatedUnionDef): Check | undefined => {
  const { discriminator } = def;
  const checks = new Map<unknown, Check>();
  for (const option of def.options) {
    const check = compileCheck(option);
    const values = option._zod.propValues?.[discriminator];
    if (check === undefined || values === undefined) continue;
    for (const value of values) checks.set(value, check);
  }
  return (value) => {
    const kind = (value as Record<string, unknown> | null)?.[discriminator];
    return checks.get(kind)?.(value) === true;
  };
};
