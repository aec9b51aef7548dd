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
 *
 * The check is written as source and compiled, one function for each object: nested closures would
 * all share the same few places of code, which see every shape of value and so know none; they take
 * three times as long. The source is made of our own schemas alone. Where code cannot be made at run
 * time, this gives undefined too.
 */
export const compileCheck = (schema: z.core.$ZodType): Check | undefined => {
  const program: Program = { functions: [], constants: [] };
  const condition = conditionOf(schema, 'value', program);
  if (condition === undefined) return undefined;
  const text = ['"use strict";', ...program.functions, `return (value) => ${condition};`].join(
    '\n',
  );
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- made of our own schemas alone
    return new Function('constants', text)(program.constants) as Check;
  } catch (error) {
    if (error instanceof EvalError) return undefined;
    throw error;
  }
};

/** Source under way: functions by their text, and what cannot be written as text. */
type Program = { readonly functions: string[]; readonly constants: unknown[] };

/** An expression that is true when the value of the expression `value` passes. */
const conditionOf = (
  schema: z.core.$ZodType,
  value: string,
  program: Program,
): string | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'string') return both(`typeof ${value} === 'string'`, schema, value, program);
  if (def.type === 'number') return both(`Number.isFinite(${value})`, schema, value, program);
  if (def.type === 'boolean') return `typeof ${value} === 'boolean'`;
  if (def.type === 'literal') return oneOf(def.values, value, program);
  if (def.type === 'enum') return oneOf(Object.values(def.entries), value, program);
  if (def.type === 'optional') {
    const inner = conditionOf(def.innerType, value, program);
    return inner && `(${value} === undefined || ${inner})`;
  }
  if (def.type === 'array') {
    const element = conditionOf(def.element, 'item', program);
    if (element === undefined) return undefined;
    const name = addFunction(program, [
      'if (!Array.isArray(value)) return false;',
      `for (const item of value) if (!(${element})) return false;`,
      'return true;',
    ]);
    return both(`${name}(${value})`, schema, value, program);
  }
  if (def.type === 'object') {
    const name = def.checks?.length ? undefined : objectFunction(def, program);
    return name && `${name}(${value})`;
  }
  if (def.type === 'union' && 'discriminator' in def) {
    const name = unionFunction(def as z.core.$ZodDiscriminatedUnionDef, program);
    return name && `${name}(${value})`;
  }
  if (def.type === 'union') {
    const options = def.options.map((option) => conditionOf(option, value, program));
    return options.every((one) => one !== undefined) ? `(${options.join(' || ')})` : undefined;
  }
  return undefined;
};

const addFunction = ({ functions }: Program, lines: readonly string[]): string => {
  const name = `check${functions.length}`;
  functions.push(`const ${name} = (value) => {\n${lines.join('\n')}\n};`);
  return name;
};

const addConstant = ({ constants }: Program, value: unknown): string =>
  `constants[${constants.push(value) - 1}]`;

const oneOf = (values: readonly unknown[], value: string, program: Program): string =>
  values.length === 1
    ? `${value} === ${addConstant(program, values[0])}`
    : `${addConstant(program, new Set(values))}.has(${value})`;

/** The type's own condition with the refinements of a string, a number or an array. */
const both = (
  first: string,
  schema: z.core.$ZodType,
  value: string,
  program: Program,
): string | undefined => {
  const { def } = schema._zod as unknown as {
    def: { readonly checks?: readonly z.core.$ZodCheck<never>[] };
  };
  // Formats are refinements of themselves.
  const own = 'check' in def ? [schema as unknown as z.core.$ZodCheck<never>] : [];
  const rest = [...own, ...(def.checks ?? [])].map((check) => refinement(check, value, program));
  return rest.every((check) => check !== undefined)
    ? `(${[first, ...rest].join(' && ')})`
    : undefined;
};

const refinement = (
  check: z.core.$ZodCheck<never>,
  value: string,
  program: Program,
): string | undefined => {
  const { def } = check._zod as unknown as z.core.$ZodChecks['_zod'];
  if (def.check === 'number_format') {
    return def.format === 'safeint' ? `Number.isSafeInteger(${value})` : undefined;
  }
  if (def.check === 'greater_than' || def.check === 'less_than') {
    const { value: bound, inclusive } = def;
    if (typeof bound !== 'number' || !Number.isFinite(bound)) return undefined;
    return `${value} ${def.check === 'less_than' ? '<' : '>'}${inclusive ? '=' : ''} ${bound}`;
  }
  if (def.check === 'min_length') return `${value}.length >= ${def.minimum}`;
  if (def.check === 'max_length') return `${value}.length <= ${def.maximum}`;
  if (def.check === 'string_format') {
    const { pattern } = def;
    const isPatternAlone = def.format === 'regex' || def.format === 'datetime';
    if (!isPatternAlone || pattern === undefined || pattern.flags !== '') return undefined;
    return `${addConstant(program, pattern)}.test(${value})`;
  }
  return undefined;
};

const objectFunction = (def: z.core.$ZodObjectDef, program: Program): string | undefined => {
  const extra = def.catchall && (def.catchall as z.core.$ZodTypes)._zod.def.type;
  // Without a catchall zod drops unknown fields: that changes the value.
  if (extra !== 'never' && extra !== 'unknown') return undefined;
  const isStrict = extra === 'never';
  const lines = [
    "if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;",
    'let unknown = 0;',
    'let field;',
  ];
  if (isStrict) lines.push('for (const _ in value) unknown += 1;');
  for (const [key, schema] of Object.entries(def.shape)) {
    const condition = conditionOf(schema, 'field', program);
    if (condition === undefined || key === '__proto__') return undefined;
    lines.push(`field = value[${JSON.stringify(key)}];`, `if (!(${condition})) return false;`);
    if (isStrict) lines.push('if (field !== undefined) unknown -= 1;');
  }
  return addFunction(program, [...lines, 'return unknown === 0;']);
};

/** Options that this file does not know are left to zod: the check says no to them. */
const unionFunction = (
  { discriminator, options }: z.core.$ZodDiscriminatedUnionDef,
  program: Program,
): string | undefined => {
  const cases: string[] = [];
  for (const option of options) {
    const condition = conditionOf(option, 'value', program);
    const values = option._zod.propValues?.[discriminator];
    if (condition === undefined || values === undefined) continue;
    for (const value of values) {
      if (typeof value === 'string')
        cases.push(`case ${JSON.stringify(value)}: return ${condition};`);
    }
  }
  return addFunction(program, [
    "if (typeof value !== 'object' || value === null) return false;",
    `switch (value[${JSON.stringify(discriminator)}]) {`,
    ...cases,
    '}',
    'return false;',
  ]);
};
