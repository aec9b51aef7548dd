import type { AuditEvent } from '../domain/events.ts';
import type { EventNumber, Instant } from '../domain/ids.ts';
import type { ProviderId } from '../domain/vocabulary.ts';

/** Figures of one provider, or of all, over any number of audits. */
export type ProviderFigures = {
  attempts: number;
  /** Ended attempts that brought an answer, and all others by how they ended. */
  ends: Record<string, number>;
  /** Of ended attempts, in ms, as they came. */
  durationsMs: number[];
  /** Sums of what was reported; `unknown` counts the ended attempts that reported nothing of it. */
  tokens: { input: number; output: number; unknown: number };
  costUsd: { sum: number; unknown: number };
  /** Answers of which every judged part was taken, some, or none. */
  answers: { whole: number; part: number; refused: number };
  /** Tasks' parts of answers; a refused answer as a whole counts as one. */
  results: { accepted: number; rejected: number };
};

/** Owned and updated in place by `foldFigures`. */
export type Figures = { readonly byProvider: Map<ProviderId, ProviderFigures> };

export const createFigures = (): Figures => ({ byProvider: new Map() });

/**
 * Follows one audit for the figures: called with each of its events in order. Event numbers are those
 * of one log, so each audit needs a follower of its own; the figures may be shared.
 *
 * @returns ends the follower: what was brought and not judged any more is no answer of any kind.
 */
export const followFigures = (
  figures: Figures,
): { readonly add: (event: AuditEvent, seq: EventNumber) => void; readonly end: () => void } => {
  const open = new Map<EventNumber, { readonly provider: ProviderId; readonly at: Instant }>();
  /** By the event that brought the answer. */
  const judged = new Map<
    EventNumber,
    { readonly provider: ProviderId; accepted: number; rejected: number }
  >();
  let current: ProviderId = 'builtin';

  const add = (event: AuditEvent, seq: EventNumber): void => {
    if (event.type === 'AuditOpened') current = event.settings.provider;
    if (event.type === 'LimitsChanged') current = event.changes.provider ?? current;
    if (event.type === 'AttemptStarted') {
      open.set(seq, { provider: event.provider, at: event.at });
      figuresOf(figures, event.provider).attempts += 1;
    }
    if (event.type === 'AttemptEnded') {
      const start = open.get(event.token);
      if (start === undefined) return;
      const { provider } = start;
      countEnd(figuresOf(figures, provider), event, event.at - start.at);
      if (event.answer !== undefined) judged.set(seq, { provider, accepted: 0, rejected: 0 });
    }
    if (event.type === 'AnswersImported') {
      const from = event.token === undefined ? undefined : open.get(event.token);
      judged.set(seq, { provider: from?.provider ?? current, accepted: 0, rejected: 0 });
    }
    if (event.type === 'ResultAccepted' || event.type === 'ResultRejected') {
      const answer = judged.get(event.of);
      if (answer === undefined) return;
      answer[event.type === 'ResultAccepted' ? 'accepted' : 'rejected'] += 1;
    }
  };

  const end = (): void => {
    for (const { provider, accepted, rejected } of judged.values()) {
      if (accepted + rejected === 0) continue;
      const { answers, results } = figuresOf(figures, provider);
      answers[rejected === 0 ? 'whole' : accepted === 0 ? 'refused' : 'part'] += 1;
      results.accepted += accepted;
      results.rejected += rejected;
    }
  };
  return { add, end };
};

/** The smallest of the values that `share` of them do not exceed (nearest rank). */
export const percentile = (values: readonly number[], share: number): number | undefined =>
  values.toSorted((left, right) => left - right)[Math.max(0, Math.ceil(share * values.length) - 1)];

const countEnd = (
  figures: ProviderFigures,
  { end, answer, usage }: Extract<AuditEvent, { type: 'AttemptEnded' }>,
  durationMs: number,
): void => {
  const kind = answer === undefined ? end.kind : 'answered';
  figures.ends[kind] = (figures.ends[kind] ?? 0) + 1;
  figures.durationsMs.push(Math.max(0, durationMs));
  const { tokens, costUsd } = figures;
  if (usage?.inputTokens === undefined && usage?.outputTokens === undefined) tokens.unknown += 1;
  tokens.input += usage?.inputTokens ?? 0;
  tokens.output += usage?.outputTokens ?? 0;
  if (usage?.costUsd === undefined) costUsd.unknown += 1;
  costUsd.sum += usage?.costUsd ?? 0;
};

const figuresOf = ({ byProvider }: Figures, provider: ProviderId): ProviderFigures => {
  const known = byProvider.get(provider);
  if (known !== undefined) return known;
  const fresh: ProviderFigures = {
    attempts: 0,
    ends: {},
    durationsMs: [],
    tokens: { input: 0, output: 0, unknown: 0 },
    costUsd: { sum: 0, unknown: 0 },
    answers: { whole: 0, part: 0, refused: 0 },
    results: { accepted: 0, rejected: 0 },
  };
  byProvider.set(provider, fresh);
  return fresh;
};
