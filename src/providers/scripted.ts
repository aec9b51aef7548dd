import type { Answer, AnswerResult } from '../domain/answer.ts';
import type { AttemptEnd } from '../domain/attempt-end.ts';
import { accountId, type Instant } from '../domain/ids.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import type { Narrative, NarrativeAnswer } from '../domain/narrative.ts';
import { UsageError } from '../domain/usage-error.ts';
import type { VerificationAnswer, VerificationResult } from '../domain/verification.ts';
import { LENSES } from '../domain/vocabulary.ts';
import type { Clock } from '../platform/clock.ts';
import { stoppedBy } from '../platform/process-watch.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import type { Provider, ProviderReport } from './provider.ts';
import {
  pathsOf,
  type ScriptedFailure,
  type TaskSelector,
  type Transcript,
  type TranscriptStep,
} from './transcript.ts';

export type ScriptedProviderOptions = {
  readonly transcript: Transcript;
  readonly clock: Clock;
  readonly width?: number | undefined;
};

/**
 * Answers from a transcript, in this process. Nothing outlives the process, so an attempt of an
 * earlier one is simply answered again, and steps that are used up are counted from its start.
 *
 * Its `run` throws `UsageError` for a transcript that does not fit the audit: a path that is not in
 * the tree, a finding for another packet's file, a packet that no step is left for.
 */
export const createScriptedProvider = ({
  transcript,
  clock,
  width = 4,
}: ScriptedProviderOptions): Provider => {
  const uses = new Map<TranscriptStep, number>();
  let checked: Promise<void> | undefined;

  const takeStep = (brief: PacketBrief): TranscriptStep => {
    const step = transcript.steps.find((each) => {
      const timesMax = each.times ?? (each.when === undefined ? 1 : Infinity);
      const fits =
        canAnswer(each, brief) && brief.tasks.some((task) => isSelected(task, each.when ?? {}));
      return fits && (uses.get(each) ?? 0) < timesMax;
    });
    if (step !== undefined) {
      uses.set(step, (uses.get(step) ?? 0) + 1);
      return step;
    }
    // What comes after the review may come or not: a transcript need not speak of it.
    if (kindOf(brief) === 'verification') return { verdicts: [] };
    if (kindOf(brief) === 'narrative') return { narrative: PLAIN_NARRATIVE };
    if (transcript.otherwise === 'clean') return { findings: [] };
    throw new UsageError(
      `The transcript has no step left for packet ${brief.packet} (${describe(brief)}).`,
      'Add a step for it, or "otherwise": "clean".',
    );
  };

  return {
    id: 'scripted',
    reviewer: 'agent',
    account: { id: accountId.parse('scripted'), ceiling: width, source: 'declared' },
    lenses: LENSES,
    covers: () => true,
    run: async ({ brief, tree }, stop) => {
      await (checked ??= checkPaths(transcript, tree));
      const step = takeStep(brief);
      await clock.sleepUntil(clock.now() + (step.delayMs ?? 0), stop);
      if (stop.aborted) return { end: { kind: 'cancelled', by: stoppedBy(stop.reason) } };
      const spent = step.usage === undefined ? {} : { usage: step.usage };
      return { ...reportOf(step, brief, clock.now()), ...spent };
    },
  };
};

type BriefTask = PacketBrief['tasks'][number];

const checkPaths = async (transcript: Transcript, tree: FrozenTree): Promise<void> => {
  for (const path of new Set(pathsOf(transcript))) {
    await tree.read(path).catch(() => {
      throw new UsageError(
        `The transcript names ${JSON.stringify(path)}, which is not in the audited tree.`,
        'Paths are relative to the audited root, with forward slashes.',
      );
    });
  }
};

const isSelected = (task: BriefTask, { path, lens, kind }: TaskSelector): boolean =>
  (path === undefined || task.files.some((file) => file.path === path)) &&
  (lens === undefined || task.lens === lens) &&
  (kind === undefined || task.kind === kind);

const kindOf = ({ tasks }: PacketBrief): BriefTask['kind'] | undefined => tasks[0]?.kind;

/**
 * Findings answer a review, verdicts a verification, a narrative the narrative; how an attempt fails fits
 * all, where its `when` does not say otherwise.
 */
const canAnswer = (step: TranscriptStep, brief: PacketBrief): boolean => {
  if ('verdicts' in step) return kindOf(brief) === 'verification';
  if ('narrative' in step) return kindOf(brief) === 'narrative';
  return 'findings' in step
    ? kindOf(brief) !== 'verification' && kindOf(brief) !== 'narrative'
    : kindOf(brief) !== 'narrative' || step.when?.kind === 'narrative';
};

const PLAIN_NARRATIVE: Narrative = {
  summary: 'The transcript tells nothing of the whole.',
  themes: [],
  topRisks: [],
};

const describe = ({ tasks }: PacketBrief): string =>
  tasks.map((task) => `${task.lens}: ${task.files.map(({ path }) => path).join(' ')}`).join('; ');

const reportOf = (step: TranscriptStep, brief: PacketBrief, now: Instant): ProviderReport => {
  if ('fail' in step) return { end: endOf(step.fail, now) };
  const text = 'raw' in step ? step.raw : JSON.stringify(answerTo(step, brief));
  return { end: { kind: 'exited' }, answer: Buffer.from(text) };
};

const answerOf = (
  { findings, omit = [] }: Extract<TranscriptStep, { findings: unknown }>,
  brief: PacketBrief,
): Answer => {
  const perTask = new Map<BriefTask, Extract<AnswerResult, { verdict: 'findings' }>['findings']>();
  for (const { lens, ...finding } of findings) {
    const { path } = finding;
    const task = brief.tasks.find((each) => isSelected(each, { path, lens }));
    if (task === undefined) {
      throw new UsageError(
        `The transcript has a finding in ${JSON.stringify(path)} for packet ${brief.packet}, ` +
          `which asks about other files (${describe(brief)}).`,
        'Give its step a "when" with the path, so that it waits for the right packet.',
      );
    }
    perTask.set(task, [...(perTask.get(task) ?? []), finding]);
  }
  const told = brief.tasks.filter((task) => !omit.some((each) => isSelected(task, each)));
  return {
    packet: brief.packet,
    results: told.map((task): AnswerResult => {
      const found = perTask.get(task);
      return found === undefined
        ? { task: task.id, verdict: 'clean' }
        : { task: task.id, verdict: 'findings', findings: found };
    }),
  };
};

const answerTo = (
  step: Exclude<TranscriptStep, { fail: unknown } | { raw: unknown }>,
  brief: PacketBrief,
): Answer | VerificationAnswer | NarrativeAnswer => {
  if ('verdicts' in step) return verdictsOf(step, brief);
  if ('findings' in step) return answerOf(step, brief);
  const { packet, tasks } = brief;
  const [task] = tasks;
  return { packet, results: [{ task: task?.id ?? '', narrative: step.narrative }] };
};

const verdictsOf = (
  { verdicts }: Extract<TranscriptStep, { verdicts: unknown }>,
  brief: PacketBrief,
): VerificationAnswer => ({
  packet: brief.packet,
  results: brief.tasks.map((task): VerificationResult => {
    const said = verdicts.find(({ path }) => isSelected(task, { path }));
    if (said === undefined) {
      return { task: task.id, verdict: 'undecided', reason: 'The transcript says nothing of it.' };
    }
    const { verdict, severity, reason = 'As the transcript says.', evidence } = said;
    const path = task.files[0]?.path ?? '';
    return {
      task: task.id,
      verdict,
      reason,
      ...(severity !== undefined && { severity }),
      ...(evidence !== undefined && { evidence: { ...evidence, path: evidence.path ?? path } }),
    };
  }),
});

const endOf = (failure: ScriptedFailure, now: Instant): AttemptEnd => {
  switch (failure.kind) {
    case 'crashed':
    case 'timed-out':
    case 'asked':
      return failure;
    case 'limited': {
      const { resetInMs, ...rest } = failure;
      return resetInMs === undefined ? rest : { ...rest, resetAt: now + resetInMs };
    }
    case 'overloaded': {
      const { retryInMs, ...rest } = failure;
      return retryInMs === undefined ? rest : { ...rest, retryAt: now + retryInMs };
    }
  }
};
