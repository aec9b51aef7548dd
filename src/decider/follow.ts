import { consentedCommands } from '../domain/consent.ts';
import type { AuditEvent } from '../domain/events.ts';
import type { Instant } from '../domain/ids.ts';
import type { DerivedObligation } from '../domain/vocabulary.ts';
import { counted } from '../std/counted.ts';
import { hasHeldAnswers, heldAnalyzerResults, heldRuntimeUpdates } from './held-inputs.ts';
import { packetOf } from './packet-board.ts';
import type { AuditState, Blocker } from './state.ts';
import { accountViews, allAccountsCool, isAskedFor, openQuestion, scheduleOf } from './views.ts';

/**
 * What follows by itself from a state, and belongs into the commit that led to it: an audit never
 * rests where the next step needs nobody. Pure; called until nothing follows.
 */
export const follow = (state: AuditState, now: Instant): readonly AuditEvent[] => {
  if (state.opened === undefined || !state.writer.isOpen) return [];
  const outdated = outdatedByImports(state, now);
  if (outdated.length > 0) return outdated;
  switch (state.lifecycle.path) {
    case 'ingesting':
      return followIngesting(state, now);
    case 'dispatching':
      return followDispatching(state, now);
    case 'cooldown':
      return askOperator(state, now);
    case 'blocked':
      return followBlocked(state, now);
    case 'deriving.formatting':
      return [notAskedFor('formatting', 'Formatting was not asked for.', now)];
    case 'deriving.runtimeValidation':
      return isRuntimeAsked(state)
        ? []
        : [
            notAskedFor(
              'runtimeValidation',
              "Running the project's own commands was not consented to.",
              now,
            ),
          ];
    case 'deriving.finishing':
      return followFinishing(state, now);
    default:
      return [];
  }
};

/**
 * Results of analyzers that came after the enrichment was derived make it stale, and with it the plan, whose
 * prompts tell leads. What has been reviewed stays; only what is open is asked anew. Analyzers read no
 * prompt, so their plan stands.
 */
const outdatedByImports = (state: AuditState, now: Instant): AuditEvent[] => {
  if (state.completed !== undefined) return [];
  const current = (obligation: DerivedObligation): boolean =>
    state.obligations.get(obligation)?.state === 'current';
  const updated = outdatedByUpdates(state, now);
  if (updated.length > 0) return updated;
  if (heldAnalyzerResults(state).length === 0 || !current('enrichment')) return [];
  const hasPrompts = state.settings?.reviewer === 'agent' && current('planning');
  return [
    {
      type: 'ArtifactsStale',
      obligations: hasPrompts ? ['enrichment', 'planning'] : ['enrichment'],
      reason: 'Results of analyzers were handed in.',
      openWork: state.counts.tasks.open > 0,
      at: now,
    },
  ];
};

/** What running the project showed, once it was found that there is nothing to show, or with less. */
const outdatedByUpdates = (state: AuditState, now: Instant): AuditEvent[] => {
  const known = state.obligations.get('runtimeValidation')?.state;
  if (heldRuntimeUpdates(state).length === 0 || known === undefined || known === 'stale') return [];
  return [
    {
      type: 'ArtifactsStale',
      obligations: ['runtimeValidation', 'synthesis', 'narrative'],
      reason: 'Results of running the project were handed in.',
      openWork: state.counts.tasks.open > 0,
      at: now,
    },
  ];
};

/** M5: spent packets are abandoned, and an empty queue ends the ingestion, once. */
const followIngesting = (state: AuditState, now: Instant): AuditEvent[] => {
  const abandoned: AuditEvent[] = [];
  for (const item of state.queue.values()) {
    if (item.kind !== 'spent') continue;
    const packet = packetOf(state, item.packet);
    for (const task of packet.spec.tasks) {
      if (state.tasks.get(task)?.status !== 'open') continue;
      abandoned.push({
        type: 'TaskAbandoned',
        task,
        code: 'attempts-spent',
        reason: `${packet.counted} of ${packet.counted} attempts failed; in the last, ${item.reason}.`,
        at: now,
      });
    }
  }
  if (abandoned.length > 0) return [...abandoned, ...staleAfter(state, abandoned, now)];
  if (state.queue.size > 0) return [];
  const openWork = state.counts.tasks.open > 0;
  return [
    {
      type: 'IngestionFinished',
      openWork,
      canStart: scheduleOf(state, now).start.length > 0,
      cooling: allAccountsCool(state, now),
      blocked: state.blocker !== undefined && !isPointless(state, state.blocker),
      at: now,
    },
  ];
};

/** What was to deepen a synthesis and was given up: it is made again without, and the narrative after it. */
const staleAfter = (
  state: AuditState,
  abandoned: readonly AuditEvent[],
  now: Instant,
): AuditEvent[] => {
  const isDeeper = abandoned.some(
    (event) => event.type === 'TaskAbandoned' && state.tasks.get(event.task)?.kind !== 'narrative',
  );
  if (!isDeeper || state.obligations.get('synthesis')?.state !== 'current') return [];
  return [
    {
      type: 'ArtifactsStale',
      obligations: ['synthesis', 'narrative'],
      reason: 'A task was given up after the synthesis.',
      openWork: state.counts.tasks.open > abandoned.length,
      at: now,
    },
  ];
};

const followDispatching = (state: AuditState, now: Instant): AuditEvent[] => {
  if (state.counts.tasks.open === 0 && state.leases.size === 0) return [nothingLeft(now)];
  const asked = askOperator(state, now);
  if (asked.length > 0) return asked;
  if (state.settings?.provider === 'handoff') return handOff(state, now);
  if (state.writer.stop !== undefined) return [];
  if (isLimitReached(state)) return [{ type: 'StopRequested', reason: 'limit', at: now }];
  const accounts = accountViews(state);
  if (accounts.every((account) => account.isExhausted)) {
    const reason = state.accounts.get(accounts[0]?.id as never)?.exhausted ?? 'It is exhausted.';
    return [
      {
        type: 'AuditBlocked',
        cause: 'no-provider',
        message: `No provider can take the work. ${reason}`,
        remedy: 'Mend the provider or choose another one, then run again.',
        waitsFor: 'operator',
        at: now,
      },
    ];
  }
  if (!allAccountsCool(state, now)) return [];
  const [first] = accounts
    .filter((account) => !account.isExhausted)
    .toSorted((left, right) => (left.cooldownUntil ?? 0) - (right.cooldownUntil ?? 0));
  if (first?.cooldownUntil === undefined) return [];
  return [
    {
      type: 'CooldownStarted',
      account: first.id,
      until: first.cooldownUntil,
      limit: state.accounts.get(first.id)?.limit ?? 'rate',
      assumed: false,
      allAccounts: true,
      at: now,
    },
  ];
};

/** When the last open tasks went stale, a hand-off or a question waits for nothing any more. */
const followBlocked = (state: AuditState, now: Instant): AuditEvent[] =>
  state.blocker !== undefined && isPointless(state, state.blocker) && state.counts.tasks.open === 0
    ? [nothingLeft(now)]
    : [];

/** Whether what a blocker waits for came about otherwise: its work was settled or went stale. */
const isPointless = (state: AuditState, { waitsFor, question }: Blocker): boolean => {
  if (waitsFor === 'hand-off') return state.counts.tasks.open === 0;
  const asked = question === undefined ? undefined : state.questions.get(question.id);
  return waitsFor === 'answer' && asked !== undefined && !isAskedFor(state, asked);
};

/** The last open tasks went stale: there is nothing to dispatch, and the end is to be derived. */
const nothingLeft = (now: Instant): AuditEvent => ({
  type: 'ArtifactsStale',
  obligations: ['synthesis'],
  reason: 'The last open tasks are stale.',
  openWork: false,
  at: now,
});

/** An attempt asked for the operator's word: nothing goes on before it is given. */
const askOperator = (state: AuditState, now: Instant): AuditEvent[] => {
  const open = openQuestion(state);
  if (open === undefined) return [];
  const { id, text, options } = open;
  const value = options === undefined ? 'TEXT' : options.join('|');
  return [
    {
      type: 'AuditBlocked',
      cause: 'answer-needed',
      message: `Packet ${open.packet} asks: ${text}`,
      remedy: `Answer it with: casefile answer ${id} ${value}`,
      waitsFor: 'answer',
      question: options === undefined ? { id, text } : { id, text, options: [...options] },
      at: now,
    },
  ];
};

/** The work is others'. What was handed in already is opened first. */
const handOff = (state: AuditState, now: Instant): AuditEvent[] => {
  if (hasHeldAnswers(state) || state.leases.size > 0) return [];
  return [
    {
      type: 'AuditBlocked',
      cause: 'hand-off',
      message: 'Packets wait for somebody to review them.',
      remedy: 'Get the next one with: casefile next. Hand answers in with: casefile ingest FILE',
      waitsFor: 'hand-off',
      at: now,
    },
  ];
};

/** `--limit`: every packet that this process could begin was begun and is at its end. */
const isLimitReached = ({ writer, packets, leases }: AuditState): boolean =>
  writer.packetsMax !== undefined &&
  writer.begun.size >= writer.packetsMax &&
  leases.size === 0 &&
  [...writer.begun].every((id) => packets.get(id)?.openTasks === 0);

const notAskedFor = (
  obligation: 'formatting' | 'runtimeValidation',
  reason: string,
  now: Instant,
): AuditEvent => ({ type: 'ObligationWaived', obligation, reason, atRunTime: false, at: now });

/** Commands may be run, or somebody has handed in what they came to. */
const isRuntimeAsked = (state: AuditState): boolean =>
  consentedCommands(state.settings?.consent ?? []).length > 0 ||
  heldRuntimeUpdates(state).length > 0;

/** The narrative needs a model; the audit is complete when nothing is left and no lease is open. */
const followFinishing = (state: AuditState, now: Instant): AuditEvent[] => {
  if (!state.lifecycle.flags.narrative) {
    const wasPlanned = [...state.tasks.values()].some(({ kind }) => kind === 'narrative');
    return [
      {
        type: 'ObligationWaived',
        obligation: 'narrative',
        reason: wasPlanned ? 'The narrative could not be written.' : whyNoNarrative(state),
        atRunTime: wasPlanned,
        at: now,
      },
    ];
  }
  if (state.leases.size > 0 || hasHeldAnswers(state)) return [];
  const reasons = incompleteness(state);
  return [
    { type: 'AuditCompleted', how: reasons.length === 0 ? 'full' : 'partial', reasons, at: now },
  ];
};

const whyNoNarrative = ({ settings }: AuditState): string => {
  if (settings?.reviewer === 'analyzers') return 'A narrative takes an agent, and none was asked.';
  return settings?.narrative === true
    ? 'There is nothing that a narrative could tell of.'
    : 'No narrative was asked for.';
};

/** What was asked for and did not happen, one sentence each. */
export const incompleteness = (state: AuditState): string[] => {
  const { tasks } = state.counts;
  const reasons: string[] = [];
  if (tasks.abandoned > 0) reasons.push(`${counted(tasks.abandoned, 'task')} given up.`);
  if (tasks.stale > 0) reasons.push(`${counted(tasks.stale, 'task')} stale: the files changed.`);
  for (const record of state.obligations.values()) {
    reasons.push(...record.incomplete);
    if (record.state === 'waived' && record.atRunTime) reasons.push(record.reason ?? '');
  }
  return reasons;
};
