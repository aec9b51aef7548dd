import { required } from '../std/assert.ts';
import { canonicalJson, compareText } from '../std/canonical-json.ts';
import type { Finding, Lead, TaskResult } from '../domain/finding.ts';
import type { FindingId, TaskId } from '../domain/ids.ts';
import type { FindingSource, ReportedFinding, Verification } from '../domain/synthesis.ts';
import { inLensOrder } from '../domain/vocabulary.ts';
import { joinVerdicts, type FindingVerdict } from './joined-verdict.ts';
import { createLeadEvidence, type LeadEvidence } from './lead-evidence.ts';
import { groupTellings, type Telling } from './same-defect.ts';
import { severityRank } from './severity-rank.ts';

/** What is known beside the statements. */
export type MergeContext = {
  /** Tasks that asked about the design of several files. */
  readonly designTasks?: ReadonlySet<TaskId> | undefined;
  /** What analyzers said: for names of rules, and for the way that data takes. */
  readonly leads?: readonly Lead[] | undefined;
};

/**
 * Joins the statements of one defect and keeps who said what: those with one fingerprint, and those
 * that tell the same in other words (`groupTellings`). The most severe, most confident statement
 * speaks for all; verdicts are joined too (`joinVerdicts`).
 *
 * The finding bears the least of its fingerprints, one that analyzers state before all others, since
 * they say the same at the next audit; the others are its aliases. Whoever knew it by one of them finds
 * it again when one of its reviewers says nothing, or says it in other words.
 *
 * The order of the results does not matter. Sorted by severity, path, line, id.
 *
 * @param results the accepted ones of tasks that still hold.
 */
export const mergeFindings = (
  results: readonly TaskResult[],
  verdicts: ReadonlyMap<FindingId, FindingVerdict>,
  { designTasks, leads = [] }: MergeContext = {},
): ReportedFinding[] => {
  const statements = new Map<FindingId, Statement[]>();
  for (const { task, findings } of results) {
    for (const finding of findings) {
      const known = statements.get(finding.id) ?? [];
      statements.set(finding.id, known);
      known.push({ task, finding });
    }
  }
  const tellings = [...statements].map(([id, said]) => telling(id, said));
  const known: Known = { verdicts, designTasks, evidence: createLeadEvidence(leads) };
  return groupTellings(tellings)
    .map((group) => join(group, known))
    .toSorted(compareFindings);
};

export const compareFindings = (left: ReportedFinding, right: ReportedFinding): number =>
  severityRank(left.severity) - severityRank(right.severity) ||
  compareText(left.place.path, right.place.path) ||
  left.place.line - right.place.line ||
  compareText(left.id, right.id);

type Statement = { readonly task: string; readonly finding: Finding };
type Told = Telling & { readonly said: readonly Statement[] };
type Known = Pick<MergeContext, 'designTasks'> & {
  readonly verdicts: ReadonlyMap<FindingId, FindingVerdict>;
  readonly evidence: LeadEvidence;
};

const telling = (id: FindingId, said: readonly Statement[]): Told => {
  const ordered = distinct(said).toSorted(compareStatements);
  const { finding } = required(ordered[0], 'a finding has at least one statement');
  const ofAgents = ordered.filter((one) => !isAnalyzers(one.finding));
  return {
    id,
    leading: finding,
    said: ordered,
    agentTasks: new Set(ofAgents.map(({ task }) => task)),
  };
};

const join = (group: readonly Told[], known: Known): ReportedFinding => {
  const ordered = group.flatMap(({ said }) => said).toSorted(compareStatements);
  const { finding } = required(ordered[0], 'a finding has at least one statement');
  const [id, ...aliases] = group.toSorted(compareTellings).map((one) => one.id);
  const own = required(id, 'a group has at least one fingerprint');
  const judged = group.map((one) => ({
    id: one.id,
    severity: one.leading.severity,
    judged: known.verdicts.get(one.id),
  }));
  const { verdict, severity } = joinVerdicts(own, judged);
  const verifications = [own, ...aliases].flatMap((of): Verification[] => {
    const said = known.verdicts.get(of);
    if (said === undefined) return [];
    const { verdict: one, severity: lowered, by, reason, evidence, event } = said;
    return [
      {
        of,
        verdict: one,
        ...(lowered && { severity: lowered }),
        ...(by && { by }),
        ...(reason !== undefined && { reason }),
        ...(evidence && { evidence }),
        ...(event !== undefined && { event }),
      },
    ];
  });
  const isDesign = ordered.every(({ task }) => known.designTasks?.has(task as TaskId) === true);
  const origins = ordered.map((one) => known.evidence.origin(one.finding));
  const leads = [
    ...origins.filter((lead) => lead !== undefined),
    ...known.evidence.pointingTo(finding),
  ];
  const trace = leads.find((lead) => lead.trace !== undefined)?.trace;
  const analyzers = namesOf(leads);
  return {
    id: own,
    ...(aliases.length > 0 && { aliases }),
    severity,
    ...(severity === finding.severity ? {} : { statedSeverity: finding.severity }),
    confidence: finding.confidence,
    category: finding.category,
    ...(isDesign && { design: true as const }),
    lenses: inLensOrder(ordered.map((one) => one.finding.lens)),
    title: finding.title,
    explanation: finding.explanation,
    place: finding.place,
    quote: finding.quote,
    anchored: finding.anchored,
    ...(finding.stated && { stated: finding.stated }),
    ...(finding.around && { around: finding.around }),
    ...(trace && { trace }),
    ...(finding.suggestion === undefined ? {} : { suggestion: finding.suggestion }),
    verdict,
    ...(verifications.length > 0 && { verifications }),
    sources: ordered.map((one, index) => sourceOf(one, own, finding, origins[index])),
    ...(analyzers.length > 0 && { analyzers }),
  };
};

const sourceOf = (
  { task, finding }: Statement,
  own: FindingId,
  leading: Finding,
  origin: Lead | undefined,
): FindingSource => ({
  ...(finding.id !== own && { id: finding.id }),
  task,
  lens: finding.lens,
  provider: finding.provider,
  ...(origin && { analyzer: origin.analyzer, rule: origin.rule }),
  severity: finding.severity,
  confidence: finding.confidence,
  ...(finding.category !== leading.category && { category: finding.category }),
  title: finding.title,
  ...(finding.explanation !== leading.explanation && { explanation: finding.explanation }),
  ...(canonicalJson(finding.place) !== canonicalJson(leading.place) && { place: finding.place }),
  ...(finding.quote !== leading.quote && { quote: finding.quote }),
  ...(finding.suggestion !== leading.suggestion && { suggestion: finding.suggestion ?? '' }),
});

const namesOf = (leads: readonly Lead[]) =>
  [...new Map(leads.map((lead) => [`${lead.analyzer}\n${lead.rule}`, lead])).values()]
    .map(({ analyzer, rule }) => ({ analyzer, rule }))
    .toSorted(
      (left, right) =>
        compareText(left.analyzer, right.analyzer) || compareText(left.rule, right.rule),
    );

/** Most severe first, then most confident; an agent that has read the code before an analyzer. */
const compareStatements = (left: Statement, right: Statement): number =>
  severityRank(left.finding.severity) - severityRank(right.finding.severity) ||
  CONFIDENCE_RANK[left.finding.confidence] - CONFIDENCE_RANK[right.finding.confidence] ||
  Number(isAnalyzers(left.finding)) - Number(isAnalyzers(right.finding)) ||
  compareText(left.task, right.task) ||
  compareText(canonicalJson(left.finding), canonicalJson(right.finding));

/** Which fingerprint a finding bears; see `mergeFindings`. */
const compareTellings = (left: Told, right: Told): number =>
  Number(!isOfAnalyzers(left)) - Number(!isOfAnalyzers(right)) || compareText(left.id, right.id);

const isOfAnalyzers = ({ said }: Told): boolean => said.some(({ finding }) => isAnalyzers(finding));

const isAnalyzers = ({ provider }: Finding): boolean => provider === 'builtin';

const CONFIDENCE_RANK = { high: 0, medium: 1, low: 2 } as const;

const distinct = (said: readonly Statement[]): readonly Statement[] => {
  if (said.length === 1) return said;
  return [...new Map(said.map((one) => [canonicalJson([one.task, one.finding]), one])).values()];
};
