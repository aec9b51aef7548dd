import { z } from 'zod';

/** What a run says of one of its rules. */
export type SarifRule = {
  readonly id: string;
  readonly level: string | undefined;
  readonly help: string | undefined;
  readonly messages: ReadonlyMap<string, string>;
  readonly properties: unknown;
};

/** How a result names its rule: by id, by place in the driver's list, or in an extension's. */
type Naming = {
  readonly ruleId?: string | undefined;
  readonly ruleIndex?: number | undefined;
  readonly rule?: unknown;
};

/**
 * Looks rules up in the driver and in the extensions. A result may call its rule `js/sql-injection/x`
 * where the rule is `js/sql-injection`: then its parent's word holds.
 */
export const createRuleOf = (tool: unknown): ((result: Naming) => SarifRule | undefined) => {
  const { driver, extensions } = components.parse(tool);
  const lists = [driver, ...extensions].map(({ rules }) => rules.map(ruleFrom));
  const byId = new Map<string, SarifRule>();
  for (const list of lists) {
    for (const rule of list) {
      if (rule !== undefined && !byId.has(rule.id)) byId.set(rule.id, rule);
    }
  }
  return ({ ruleId, ruleIndex, rule }) => {
    const reference = naming.safeParse(rule).data;
    const index = reference?.index ?? ruleIndex;
    const component = reference?.toolComponent?.index;
    const list = lists[component === undefined ? 0 : component + 1];
    const id = ruleId ?? reference?.id;
    const indexed = index === undefined || index < 0 ? undefined : list?.[index];
    // Some tools give both and disagree; the id is what people know the rule by.
    if (indexed !== undefined && (id === undefined || isSame(indexed.id, id))) return indexed;
    return id === undefined ? undefined : (byId.get(id) ?? byId.get(parentOf(id)));
  };
};

const isSame = (rule: string, id: string): boolean => id === rule || id.startsWith(`${rule}/`);
const parentOf = (id: string): string => id.slice(0, Math.max(0, id.lastIndexOf('/')));

const text = z.string();
const said = z.looseObject({ text: text.optional() }).optional().catch(undefined);
const descriptor = z.looseObject({
  id: text.min(1),
  defaultConfiguration: z.looseObject({ level: text.optional() }).optional().catch(undefined),
  help: said,
  fullDescription: said,
  shortDescription: said,
  messageStrings: z.record(text, z.looseObject({ text })).optional().catch(undefined),
  properties: z.unknown().optional(),
});
const component = z
  .looseObject({ rules: z.array(z.unknown()).nullish().catch(undefined) })
  .transform(({ rules }) => ({ rules: rules ?? [] }));
const components = z.looseObject({
  driver: component,
  extensions: z
    .array(component)
    .optional()
    .catch(undefined)
    .transform((list) => list ?? []),
});
const naming = z.looseObject({
  id: text.optional(),
  index: z.int().optional(),
  toolComponent: z.looseObject({ index: z.int().nonnegative().optional() }).optional(),
});

/** Its place in the list is kept also when it cannot be read: results count on it. */
const ruleFrom = (value: unknown): SarifRule | undefined => {
  const parsed = descriptor.safeParse(value);
  if (!parsed.success) return undefined;
  const { id, defaultConfiguration, help, fullDescription, shortDescription } = parsed.data;
  return {
    id,
    level: defaultConfiguration?.level,
    help: help?.text ?? fullDescription?.text ?? shortDescription?.text,
    messages: new Map(
      Object.entries(parsed.data.messageStrings ?? {}).map(([key, { text: template }]) => [
        key,
        template,
      ]),
    ),
    properties: parsed.data.properties,
  };
};
