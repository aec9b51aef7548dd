import { z } from 'zod';
import { readItems } from './read-items.ts';
import { confidenceOfWord, severityOfWord } from './severities.ts';
import type { ReportedItem, ToolRun } from './tool-run.ts';
import { categoryOfWeakness } from './weaknesses.ts';
import type { Lens } from '../../domain/vocabulary.ts';

/** What `semgrep --json` writes. */
export const readSemgrep = (value: {
  readonly results: readonly unknown[];
  readonly version?: unknown;
}): readonly ToolRun[] => {
  const version = z.string().safeParse(value.version).data;
  const { items, leftOut } = readItems(value.results, result, 'results', (one) =>
    one.extra.is_ignored === true ? 'it is suppressed in the tool' : [itemOf(one)],
  );
  return [{ tool: 'semgrep', version, items, leftOut }];
};

const line = z.looseObject({ line: z.int().positive() });
const words = z
  .union([z.string(), z.array(z.unknown())])
  .optional()
  .catch(undefined);
const result = z.looseObject({
  check_id: z.string().min(1),
  path: z.string().min(1),
  start: line,
  end: line.optional().catch(undefined),
  extra: z.looseObject({
    message: z.string().min(1),
    severity: z.string(),
    is_ignored: z.boolean().optional(),
    metadata: z
      .looseObject({
        category: z.string().optional().catch(undefined),
        cwe: words,
        confidence: z.string().optional().catch(undefined),
      })
      .optional()
      .catch(undefined),
    dataflow_trace: z.unknown().optional(),
  }),
});
type Result = z.infer<typeof result>;

/** Rule sets of semgrep that say nothing of their category are about security, as most are. */
const LENSES: Readonly<Record<string, Lens>> = {
  security: 'security',
  correctness: 'correctness',
  'best-practice': 'maintainability',
  maintainability: 'maintainability',
  performance: 'performance',
  compatibility: 'correctness',
  portability: 'correctness',
};

const itemOf = ({ check_id: rule, path, start, end, extra }: Result): ReportedItem => {
  const { metadata = {} } = extra;
  const weakness = categoryOfWeakness([metadata.cwe].flat());
  const lens =
    (weakness === undefined && metadata.category !== undefined
      ? LENSES[metadata.category.toLowerCase()]
      : undefined) ?? 'security';
  const trace = traceOf(extra.dataflow_trace);
  return {
    rule,
    category: weakness,
    lens,
    severity: severityOfWord(extra.severity, lens) ?? 'medium',
    confidence: confidenceOfWord(metadata.confidence) ?? 'medium',
    message: extra.message,
    place: { path, line: start.line, endLine: end?.line },
    ...(trace.length >= 2 && { trace }),
  };
};

const span = z.looseObject({ path: z.string().min(1), start: line });
/** `["CliLoc", [where, text]]`, or `["CliCall", [[where, text], …]]`, of which the call counts. */
const station = z.union([
  z.tuple([z.literal('CliLoc'), z.tuple([span, z.string()])]).transform(([, [where]]) => where),
  z
    .tuple([z.literal('CliCall'), z.tuple([z.tuple([span, z.string()])]).rest(z.unknown())])
    .transform(([, [[where]]]) => where),
]);
const flow = z.looseObject({
  taint_source: station,
  intermediate_vars: z
    .array(z.looseObject({ location: span }))
    .nullish()
    .catch(undefined),
  taint_sink: station,
});

const traceOf = (value: unknown) => {
  const parsed = flow.safeParse(value);
  if (!parsed.success) return [];
  const { taint_source: source, intermediate_vars: between, taint_sink: sink } = parsed.data;
  const stations = [
    { where: source, says: 'the data comes from here' },
    ...(between ?? []).map(({ location }) => ({ where: location, says: 'it is kept here' })),
    { where: sink, says: 'it is used here' },
  ];
  return stations.map(({ where, says }) => ({
    place: { path: where.path, line: where.start.line },
    says,
  }));
};
