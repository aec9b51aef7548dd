import { z } from 'zod';
import { createLeftOut, type LeftOut } from './left-out.ts';
import { lensOfRule } from './lens-of-rule.ts';
import { readItems } from './read-items.ts';
import { createArtifactPlaces, type ArtifactPlaces } from './sarif-places.ts';
import { createRuleOf, type SarifRule } from './sarif-rules.ts';
import { confidenceOfWord, severityOfScore, severityOfWord } from './severities.ts';
import type { ReportedItem, ToolRun } from './tool-run.ts';
import { categoryOfWeakness } from './weaknesses.ts';

/**
 * SARIF 2.1.0 of any tool, each of its runs apart. What the tool itself takes back (suppressed, or gone
 * since a baseline) and what is no failure is counted and not taken.
 */
export const readSarif = (value: unknown): readonly ToolRun[] | string => {
  const parsed = sarif.safeParse(value);
  if (!parsed.success) return 'its "runs" are not a list of runs with a tool each';
  return parsed.data.runs.map(readRun);
};

const text = z.string();
const message = z.looseObject({
  text: text.optional(),
  id: text.optional(),
  arguments: z.array(z.unknown()).optional(),
});
const sarif = z.looseObject({
  runs: z.array(
    z.looseObject({
      tool: z.looseObject({ driver: z.looseObject({ name: text.min(1) }) }),
      results: z.array(z.unknown()).nullish(),
      originalUriBaseIds: z.unknown().optional(),
      artifacts: z.unknown().optional(),
      invocations: z.unknown().optional(),
      externalPropertyFileReferences: z.unknown().optional(),
    }),
  ),
});
type Run = z.infer<typeof sarif>['runs'][number];

const location = z.looseObject({ physicalLocation: z.unknown().optional() });
const result = z.looseObject({
  ruleId: text.optional(),
  ruleIndex: z.int().optional(),
  rule: z.unknown().optional(),
  kind: text.optional(),
  level: text.optional(),
  message,
  locations: z.array(location).optional(),
  suppressions: z.array(z.looseObject({ status: text.optional() })).nullish(),
  baselineState: text.optional(),
  codeFlows: z
    .array(
      z.looseObject({
        threadFlows: z.array(z.looseObject({ locations: z.array(z.unknown()) })),
      }),
    )
    .nullish()
    .catch(undefined),
  properties: z.unknown().optional(),
});
type Result = z.infer<typeof result>;

const driver = z.looseObject({ semanticVersion: text.optional(), version: text.optional() });
const properties = z.looseObject({
  tags: z.array(z.unknown()).optional().catch(undefined),
  'security-severity': z.union([text, z.number()]).optional().catch(undefined),
  precision: text.optional().catch(undefined),
  confidence: text.optional().catch(undefined),
  cwe: z
    .union([text, z.array(z.unknown())])
    .optional()
    .catch(undefined),
});
const invocations = z.array(z.looseObject({ executionSuccessful: z.boolean().optional() }));

const readRun = (run: Run, index: number): ToolRun => {
  const tool = run.tool.driver.name;
  const known = driver.safeParse(run.tool.driver).data;
  const ruleOf = createRuleOf(run.tool);
  const places = createArtifactPlaces(run);
  const { items, leftOut } = readItems(
    run.results ?? [],
    result,
    `runs[${index}].results`,
    (one) => whyNot(one) ?? itemOf(one, { tool, ruleOf, places }),
  );
  const failed = invocations
    .safeParse(run.invocations)
    .data?.some(({ executionSuccessful }) => executionSuccessful === false);
  return {
    tool,
    version: known?.semanticVersion ?? known?.version,
    items,
    leftOut: withExternalResults(run, leftOut),
    ...(failed === true && { trouble: 'it says itself that it did not end well' }),
  };
};

const whyNot = ({ kind = 'fail', suppressions, baselineState }: Result): string | undefined => {
  if (kind === 'pass' || kind === 'notApplicable' || kind === 'informational') {
    return 'it is no failure (its kind says so)';
  }
  if (suppressions?.some(({ status = 'accepted' }) => status === 'accepted') === true) {
    return 'it is suppressed in the tool';
  }
  return baselineState === 'absent' ? 'it is gone since the baseline' : undefined;
};

const withExternalResults = (run: Run, leftOut: LeftOut): LeftOut => {
  const external = z
    .looseObject({ results: z.array(z.unknown()).min(1) })
    .safeParse(run.externalPropertyFileReferences);
  if (!external.success) return leftOut;
  const more = createLeftOut();
  more.add(
    'its results stand in other files; import those',
    undefined,
    external.data.results.length,
  );
  return [...leftOut, ...more.list()];
};

const itemOf = (
  one: Result,
  context: {
    readonly tool: string;
    readonly ruleOf: (result: Result) => SarifRule | undefined;
    readonly places: ArtifactPlaces;
  },
): readonly ReportedItem[] | string => {
  const { tool, places } = context;
  const rule = context.ruleOf(one);
  const id = rule?.id ?? one.ruleId;
  if (id === undefined) return 'it names no rule';
  const place = places(one.locations?.[0]?.physicalLocation);
  if (typeof place === 'string') return place;
  const said = messageOf(one, rule);
  if (said === undefined) return 'it has no message';
  const own = properties.safeParse(one.properties).data;
  const ruled = properties.safeParse(rule?.properties).data;
  const tags = [...(own?.tags ?? []), ...(ruled?.tags ?? [])].filter(
    (tag) => typeof tag === 'string',
  );
  const weakness = categoryOfWeakness([...list(own?.cwe), ...list(ruled?.cwe), ...tags]);
  const score = scoreOf(own?.['security-severity']) ?? scoreOf(ruled?.['security-severity']);
  const level = one.level ?? rule?.level ?? (one.kind === undefined ? 'warning' : 'none');
  const isError = level === 'error';
  const isSecurity = score !== undefined || weakness !== undefined;
  const lens = lensOfRule({ tool, rule: id, tags, isSecurity, isError });
  const trace = traceOf(one, places);
  return [
    {
      rule: id,
      category: weakness,
      lens,
      severity:
        score === undefined
          ? (severityOfWord(level, isLinter(tool) ? 'maintainability' : lens) ?? 'info')
          : severityOfScore(score),
      confidence:
        confidenceOfWord(own?.precision ?? own?.confidence ?? ruled?.precision) ?? 'medium',
      message: said,
      place,
      help: rule?.help,
      ...(trace.length >= 2 && { trace }),
    },
  ];
};

/** Its "error" is what its users switched on, under whatever point of view. */
const isLinter = (tool: string): boolean => /^eslint\b/i.test(tool);

const list = (value: unknown): readonly unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const scoreOf = (value: string | number | undefined): number | undefined => {
  const score = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof score === 'number' && score >= 0 && score <= 10 ? score : undefined;
};

/** The text, with its links (`[words](1)`) as words; or the rule's, with the arguments put in. */
const messageOf = ({ message: given }: Result, rule: SarifRule | undefined): string | undefined => {
  const template =
    given.text ?? (given.id === undefined ? undefined : rule?.messages.get(given.id));
  if (template === undefined || template.trim() === '') return undefined;
  const cut = template.slice(0, TEMPLATE_MAX);
  const filled = cut.replaceAll(/\{(\d{1,3})\}/g, (whole, digits: string) => {
    const argument = given.arguments?.[Number(digits)];
    return typeof argument === 'string' ? argument : whole;
  });
  return filled.replaceAll(/\[([^[\]]{1,300})\]\((?:\d{1,9}|[a-z]+:[^()\s]{1,500})\)/g, '$1');
};

const TEMPLATE_MAX = 20_000;

/** The first way of the first flow; stations in no file are passed over. */
const traceOf = ({ codeFlows }: Result, places: ArtifactPlaces) =>
  (codeFlows?.[0]?.threadFlows[0]?.locations ?? []).slice(0, STATIONS_MAX).flatMap((one) => {
    const parsed = station.safeParse(one);
    if (!parsed.success) return [];
    const { physicalLocation, message: said } = parsed.data.location;
    const place = places(physicalLocation);
    return typeof place === 'string'
      ? []
      : [{ place, says: said?.text ?? 'the data comes by here' }];
  });

const STATIONS_MAX = 1000;
const station = z.looseObject({
  location: z.looseObject({
    physicalLocation: z.unknown().optional(),
    message: message.optional().catch(undefined),
  }),
});
