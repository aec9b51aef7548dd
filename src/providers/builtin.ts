import type { Answer, AnswerFinding } from '../domain/answer.ts';
import type { Lead } from '../domain/finding.ts';
import { accountId } from '../domain/ids.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import { canonicalJson } from '../std/canonical-json.ts';
import { counted } from '../std/counted.ts';
import { analyzersCover, ANALYZER_LENSES } from '../pipeline/enrichment.ts';
import { cut, leadCategory, leadTitle } from '../pipeline/lead-words.ts';
import type { Provider } from './provider.ts';
import { SEVERITIES } from '../domain/vocabulary.ts';

/**
 * Turns what analyzers said about a packet's files into an answer, without any model.
 * The answer goes through the same judgement as any other; coverage says "analyzers only".
 */
export const createBuiltinProvider = (): Provider => ({
  id: 'builtin',
  reviewer: 'analyzers',
  account: { id: accountId.parse('builtin'), ceiling: 4, source: 'declared' },
  lenses: ANALYZER_LENSES,
  covers: analyzersCover,
  run: async (job, stop) => {
    if (stop.aborted) return { end: { kind: 'cancelled', by: causeOf(stop.reason) } };
    const answer = new TextEncoder().encode(canonicalJson(answerFrom(job.brief, job.leads)));
    return { end: { kind: 'exited' }, answer };
  },
});

/** One verdict for each task: the leads on its files under its lens, or a statement that it is clean. */
export const answerFrom = (brief: PacketBrief, leads: readonly Lead[]): Answer => ({
  packet: brief.packet,
  results: brief.tasks.map((task) => {
    const files = new Map(task.files.map((file) => [file.path, file]));
    const findings = leads
      .filter((found) => found.lens === task.lens && isOf(files.get(found.place.path), found))
      .toSorted(worstFirst)
      .map(findingFrom);
    return findings.length === 0
      ? { task: task.id, verdict: 'clean' }
      : { task: task.id, verdict: 'findings', findings: atMost(FINDINGS_MAX, findings) };
  }),
});

/** A lead is told once: by the part of its file that holds its line, or the first part of the line. */
const isOf = (
  file: PacketBrief['tasks'][number]['files'][number] | undefined,
  { place }: Lead,
): boolean => {
  if (file?.range === undefined) return file !== undefined;
  const { line, endLine, bytes } = file.range;
  return place.line >= line && place.line <= endLine && (bytes?.from ?? 0) === 0;
};

const findingFrom = (found: Lead): AnswerFinding => ({
  title: leadTitle(found),
  category: leadCategory(found),
  severity: found.severity,
  confidence: found.confidence,
  path: found.place.path,
  line: found.place.line,
  ...(found.place.endLine === undefined ? {} : { endLine: found.place.endLine }),
  // Where nothing may be quoted, the finding stands without an anchor.
  quote: found.quote.trim() || leadTitle(found),
  explanation: explain(found),
  ...(found.help === undefined ? {} : { suggestion: found.help }),
});

const explain = (found: Lead): string => {
  const { analyzer, origin, rule, trace = [] } = found;
  const from = origin === undefined ? analyzer : `${analyzer}, ${ORIGINS[origin]}`;
  const said = `${leadTitle(found)} (${from}, rule ${rule}; no agent has looked at it)`;
  const way = trace.slice(0, STEPS_MAX).map(({ place, says }, index) => {
    return `${index + 1}. ${place.path}:${place.line} ${cut(says, STEP_MAX)}`;
  });
  const more = trace.length - way.length;
  if (way.length === 0) return said;
  return [said, ...way, ...(more > 0 ? [`and ${counted(more, 'step')} more`] : [])].join('\n');
};

const ORIGINS = { found: 'found on this machine', imported: 'imported' } as const;

/** The contract's limit. */
const FINDINGS_MAX = 500;
/** Far below the contract's limit on an explanation. */
const STEPS_MAX = 20;
const STEP_MAX = 200;

const worstFirst = (left: Lead, right: Lead): number =>
  SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity);

/** What does not fit is counted in the last one's words: it is never dropped without a trace. */
const atMost = (limit: number, findings: readonly AnswerFinding[]): AnswerFinding[] => {
  const last = findings[limit - 1];
  if (findings.length <= limit || last === undefined) return [...findings];
  const rest = findings.length - limit;
  const more = `${last.explanation} There are ${rest} more reports like it in this task.`;
  return [...findings.slice(0, limit - 1), { ...last, explanation: more }];
};

const causeOf = (reason: unknown): 'operator' | 'settled' | 'budget' =>
  reason === 'settled' || reason === 'budget' ? reason : 'operator';
