import type { Lead, LeadOrigin, Place } from '../domain/finding.ts';
import { SEVERITIES } from '../domain/vocabulary.ts';
import { createLeftOut, type LeftOut } from '../pipeline/analyzer-reports/left-out.ts';
import { createPathMatcher, type MatchedPath } from '../pipeline/analyzer-reports/match-paths.ts';
import type {
  ReportedItem,
  ReportedPlace,
  ToolRun,
} from '../pipeline/analyzer-reports/tool-run.ts';
import { textOf } from '../pipeline/content.ts';
import type { AnalyzerRun } from '../pipeline/enrichment.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { compareText } from '../std/canonical-json.ts';
import { clip, foldSpace, printable } from '../std/printable.ts';
import { createSourceLines } from './source-lines.ts';

export type ReportLeads = {
  readonly leads: readonly Lead[];
  readonly runs: readonly AnalyzerRun[];
};

/** The files that a report may be about. */
export type ReportTarget = {
  readonly tree: Pick<FrozenTree, 'read'>;
  /** All paths of the inventory: by these the paths of a report are understood. */
  readonly paths: readonly string[];
  /** Why nothing is taken of what is said of a file; undefined: it is taken. */
  readonly whyNot: (path: string, lens: Lead['lens']) => string | undefined;
};

/**
 * Makes leads of what tools report. Paths become files of the inventory, and the quote is ours: the stated line
 * of the frozen file. What cannot be placed is counted with its reason; what was said before, in this
 * report or an earlier one, is joined with it.
 *
 * @param seen keys of leads that there are (`leadKey`); those that are made are added.
 */
export const leadsOfReport = async (
  report: {
    readonly runs: readonly ToolRun[];
    readonly origin: LeadOrigin;
    /** The file's name, of an imported one. */
    readonly importedFrom?: string;
  },
  target: ReportTarget,
  seen: Set<string>,
): Promise<ReportLeads> => {
  const matcher = createPathMatcher(target.paths);
  const leads: Lead[] = [];
  const runs: AnalyzerRun[] = [];
  for (const run of report.runs) {
    const leftOut = createLeftOut();
    for (const { reason, count, first } of run.leftOut) leftOut.add(reason, first, count);
    if (run.trouble !== undefined) leftOut.add(run.trouble);
    const named = nameOf(run.tool);
    const placed = placeItems(run, matcher, target, leftOut.add);
    const made: Lead[] = [];
    for (const [path, items] of placed) {
      const lines = await linesOf(target.tree, path);
      for (const item of items) {
        const found = lines === undefined ? NOT_READABLE : leadFrom(item, lines);
        if (typeof found === 'string') leftOut.add(found, path);
        else made.push({ ...found, analyzer: named, origin: report.origin });
      }
    }
    const taken = made.filter((found) => {
      const key = leadKey(found);
      const isNew = !seen.has(key);
      if (isNew) seen.add(key);
      else leftOut.add('it was said before', found.place.path);
      return isNew;
    });
    leads.push(...taken);
    runs.push(summaryOf(run, report, taken, leftOut.list()));
  }
  return { leads, runs };
};

/** More leads of one run than anybody reads; the most severe are kept. */
const LEADS_MAX = 20_000;
const NOT_READABLE = 'its file cannot be read any more';

/** Whether two leads say the same, whoever brought them. */
export const leadKey = ({ analyzer, rule, place, message }: Lead): string =>
  [analyzer, rule, place.line, place.path, message].join('\0');

type Placed = { readonly item: ReportedItem; readonly path: string; readonly trace: Lead['trace'] };

/** Items by the file that they are about, sorted by path, so that each file is read once. */
const placeItems = (
  run: ToolRun,
  matcher: ReturnType<typeof createPathMatcher>,
  { whyNot }: ReportTarget,
  leaveOut: (reason: string, where?: string, count?: number) => void,
): ReadonlyMap<string, readonly Placed[]> => {
  const matched = matcher(
    run.items.flatMap(({ place, trace = [] }) => [
      place.path,
      ...trace.map((step) => step.place.path),
    ]),
  );
  const placed: Placed[] = [];
  for (const item of run.items) {
    const match = matched.get(item.place.path);
    const reason =
      match?.kind === 'matched' ? whyNot(match.path, item.lens) : NO_FILE[match?.kind ?? 'unknown'];
    if (match?.kind !== 'matched' || reason !== undefined) {
      leaveOut(reason ?? NO_FILE.unknown, item.place.path);
    } else placed.push({ item, path: match.path, trace: traceOf(item, matched) });
  }
  const kept =
    placed.length <= LEADS_MAX ? placed : placed.toSorted(worstFirst).slice(0, LEADS_MAX);
  if (kept.length < placed.length) {
    leaveOut(
      `more than ${LEADS_MAX} leads of one run; the most severe were taken`,
      undefined,
      placed.length - kept.length,
    );
  }
  const byPath = new Map<string, Placed[]>();
  for (const one of kept.toSorted((left, right) => compareText(left.path, right.path))) {
    const same = byPath.get(one.path);
    if (same === undefined) byPath.set(one.path, [one]);
    else same.push(one);
  }
  return byPath;
};

const NO_FILE = {
  outside: 'its path leads out of the repository, or is none',
  unknown: 'it is about no file of this audit',
} as const;

const worstFirst = (left: Placed, right: Placed): number =>
  SEVERITIES.indexOf(left.item.severity) - SEVERITIES.indexOf(right.item.severity);

/** Stations in files of the inventory; of a long way, both ends. */
const traceOf = (
  { trace = [] }: ReportedItem,
  matched: ReadonlyMap<string, MatchedPath>,
): Lead['trace'] => {
  const steps = trace.flatMap(({ place, says }) => {
    const match = matched.get(place.path);
    if (match?.kind !== 'matched') return [];
    const said = oneLine(says, STEP_LENGTH);
    return [
      {
        place: spanOf(match.path, place.line ?? 1, place.endLine),
        says: said || 'the data comes by here',
      },
    ];
  });
  if (steps.length < 2) return undefined;
  return steps.length <= STEPS_MAX
    ? steps
    : [...steps.slice(0, STEPS_MAX / 2), ...steps.slice(-STEPS_MAX / 2)];
};

const STEPS_MAX = 30;

type FileLines = {
  readonly count: number;
  readonly quote: ReturnType<typeof createSourceLines>['quote'];
  readonly lineWith: (texts: readonly string[]) => number | undefined;
};

const linesOf = async (
  tree: Pick<FrozenTree, 'read'>,
  path: string,
): Promise<FileLines | undefined> => {
  const bytes = await tree.read(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const text = textOf(bytes);
  const { quote } = createSourceLines(text);
  const lines = text.split('\n');
  return {
    count: lines.length,
    quote,
    lineWith: (texts) => {
      const at = lines.findIndex((line) => texts.some((one) => line.includes(one)));
      return at < 0 ? undefined : at + 1;
    },
  };
};

const leadFrom = (
  { item, path, trace }: Placed,
  lines: FileLines,
): Omit<Lead, 'analyzer' | 'origin'> | string => {
  const { place, lens, severity, confidence, help } = item;
  const stated = place.near === undefined ? place.line : lines.lineWith(place.near);
  if (stated !== undefined && stated > lines.count) {
    return 'its line is behind the end of the file: the report is about another version of it';
  }
  const message = oneLine(item.message, MESSAGE_LENGTH);
  const rule = oneLine(item.rule, RULE_LENGTH);
  const { line, text } = lines.quote(stated ?? 1);
  if (message === '' || rule === '') return 'it names no rule, or has no message';
  if (text === '') return 'nothing stands where it points to';
  const category = item.category === undefined ? '' : oneLine(item.category, CATEGORY_LENGTH);
  const advice = help === undefined ? '' : oneLine(help, HELP_LENGTH);
  return {
    rule,
    ...(category !== '' && { category }),
    lens,
    severity,
    confidence,
    message,
    place: spanOf(path, line, endOf(place, line, lines.count)),
    quote: text,
    ...(advice !== '' && { help: advice }),
    ...(trace !== undefined && { trace }),
  };
};

/** A longer span than anybody looks at says no more than its first line. */
const SPAN_MAX = 200;
const endOf = ({ endLine }: ReportedPlace, line: number, last: number): number | undefined =>
  endLine === undefined || endLine - line > SPAN_MAX ? undefined : Math.min(endLine, last);

const spanOf = (path: string, line: number, endLine: number | undefined): Place => ({
  path,
  line,
  ...(endLine !== undefined && endLine > line && { endLine }),
});

const NAME_LENGTH = 60;
const RULE_LENGTH = 200;
const CATEGORY_LENGTH = 100;
const MESSAGE_LENGTH = 1000;
const HELP_LENGTH = 1000;
const STEP_LENGTH = 200;

/** Text of others on one line, in which nothing acts. */
const oneLine = (text: string, lengthMax: number): string =>
  clip(printable(foldSpace(clip(text, lengthMax * 2))), lengthMax).trim();

const nameOf = (tool: string): string => oneLine(tool, NAME_LENGTH) || 'unnamed';

const summaryOf = (
  run: ToolRun,
  { origin, importedFrom }: { readonly origin: LeadOrigin; readonly importedFrom?: string },
  leads: readonly Lead[],
  leftOut: LeftOut,
): AnalyzerRun => ({
  name: nameOf(run.tool),
  version: run.version === undefined ? 'unknown' : oneLine(run.version, NAME_LENGTH) || 'unknown',
  files: new Set(leads.map(({ place }) => place.path)).size,
  status: run.trouble === undefined ? 'done' : 'partial',
  origin,
  ...(importedFrom !== undefined && { importedFrom }),
  leads: leads.length,
  ...(leftOut.length > 0 && { leftOut: [...leftOut] }),
  unchecked: [],
});
