import type { SeverityCounts } from '../../domain/events.ts';
import { SEVERITIES } from '../../domain/vocabulary.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { createFigures, percentile, type ProviderFigures } from '../../projections/figures.ts';
import { counted, grouped } from '../../std/counted.ts';
import { EXIT } from '../exit.ts';
import { addFigures } from '../figures-over.ts';
import { findingsOf, severityWords } from '../findings-of.ts';
import { locate } from '../locate.ts';
import { readAllAudits } from '../read-all.ts';
import { terminal } from '../terminal.ts';
import type { RootFlags } from './audits.ts';

/** `casefile stats`: figures over all audits of a root. Those that cannot be read are counted. */
export const statsCommand = async (root: string | undefined, flags: RootFlags): Promise<number> => {
  const place = await locate(root, flags.stateDir);
  const stats = await statsOf(readAllAudits(createNodeDisk(), place));
  if (flags.json === true) terminal.json(stats);
  else terminal.answer(statsText(stats));
  return EXIT.fine;
};

type Stats = {
  readonly audits: {
    readonly total: number;
    readonly full: number;
    readonly partial: number;
    readonly unfinished: number;
    readonly unreadable: number;
  };
  /** After joining statements of one defect, within each audit. */
  readonly findings: { readonly total: number; readonly bySeverity: SeverityCounts };
  readonly providers: readonly ProviderStats[];
};

type ProviderStats = Omit<ProviderFigures, 'durationsMs'> & {
  readonly provider: string;
  /** Of ended attempts, nearest rank; missing before the first end. */
  readonly durationMs?: { readonly p50: number; readonly p90: number };
  /** Accepted parts of answers, from 0 to 1; missing before the first judgement. */
  readonly acceptance?: number;
};

const statsOf = async (readings: ReturnType<typeof readAllAudits>): Promise<Stats> => {
  const audits = { total: 0, full: 0, partial: 0, unfinished: 0, unreadable: 0 };
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  const figures = createFigures();
  for await (const reading of readings) {
    audits.total += 1;
    if (reading.kind !== 'read') {
      audits[reading.kind === 'unreadable' ? 'unreadable' : 'unfinished'] += 1;
      continue;
    }
    const { audit } = reading;
    audits[audit.state.completed?.how ?? 'unfinished'] += 1;
    const found = (await findingsOf(audit)).bySeverity;
    for (const severity of SEVERITIES) bySeverity[severity] += found[severity];
    addFigures(figures, audit.commits);
  }
  const total = SEVERITIES.reduce((sum, severity) => sum + bySeverity[severity], 0);
  return {
    audits,
    findings: { total, bySeverity },
    providers: [...figures.byProvider].map(([provider, one]) => providerStats(provider, one)),
  };
};

const providerStats = (
  provider: string,
  { durationsMs, ...figures }: ProviderFigures,
): ProviderStats => {
  const [p50, p90] = [percentile(durationsMs, 0.5), percentile(durationsMs, 0.9)];
  const { accepted, rejected } = figures.results;
  return {
    provider,
    ...figures,
    ...(p50 !== undefined && p90 !== undefined && { durationMs: { p50, p90 } }),
    ...(accepted + rejected > 0 && { acceptance: accepted / (accepted + rejected) }),
  };
};

const statsText = ({ audits, findings, providers }: Stats): string =>
  [
    `${counted(audits.total, 'audit')}: ${audits.full} full, ${audits.partial} partial, ${audits.unfinished} unfinished, ${audits.unreadable} unreadable`,
    `${counted(findings.total, 'finding')}: ${severityWords(findings.bySeverity)}`,
    ...providers.flatMap(providerText),
  ].join('\n');

const providerText = (one: ProviderStats): readonly string[] => {
  const ends = Object.entries(one.ends).map(([kind, count]) => `${count} ${kind}`);
  const { tokens, costUsd, answers, results } = one;
  return [
    `provider ${one.provider}`,
    `  attempts    ${grouped(one.attempts)}${ends.length === 0 ? '' : `: ${ends.join(', ')}`}`,
    ...(one.durationMs === undefined
      ? []
      : [`  durations   p50 ${seconds(one.durationMs.p50)}, p90 ${seconds(one.durationMs.p90)}`]),
    `  tokens      ${grouped(tokens.input)} in, ${grouped(tokens.output)} out, unknown for ${counted(tokens.unknown, 'attempt')}`,
    `  cost        ${costUsd.sum.toFixed(2)} USD, unknown for ${counted(costUsd.unknown, 'attempt')}`,
    `  answers     ${answers.whole} taken whole, ${answers.part} in part, ${answers.refused} refused`,
    ...(one.acceptance === undefined
      ? []
      : [
          `  acceptance  ${Math.round(one.acceptance * 1000) / 10} % (${results.accepted} of ${results.accepted + results.rejected} judged parts)`,
        ]),
  ];
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
