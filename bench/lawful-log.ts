import { hash } from 'node:crypto';
import type { CommitDraft } from '../src/domain/commit.ts';
import type { Command, TaskVerdict } from '../src/domain/commands.ts';
import type { Effect } from '../src/domain/effects.ts';
import type { PlannedPacket, PlannedTask } from '../src/domain/events.ts';
import type { AccountId, AuditId, BlobRef, Digest, TaskId } from '../src/domain/ids.ts';
import { evolve } from '../src/decider/evolve.ts';
import { execute } from '../src/decider/execute.ts';
import { nextDeadline, plan } from '../src/decider/plan.ts';
import { initialState, type AuditState } from '../src/decider/state.ts';

/**
 * A history as a long audit leaves it, one event a commit: four attempts in flight, packets of three
 * tasks, now and then a crash, a limit, a result that is refused. The core itself decides it, so
 * every line of it is lawful.
 */
export const lawfulCommits = (commits: number): CommitDraft[] => {
  const drafts: CommitDraft[] = [];
  const state = initialState();
  const folded = initialState();
  let now = 1_796_033_640_123;

  const give = (command: Command): void => {
    const execution = execute(state, command);
    if (execution.kind === 'rejected') throw new Error(execution.rejection.message);
    for (const event of execution.events) {
      const from = folded.lifecycle.path;
      evolve(folded, event);
      const to = folded.lifecycle.path;
      drafts.push({ at: now, cause: execution.cause, events: [event], from, to });
    }
  };

  give({ ...OPENING, now });
  give({ type: 'OpenWriter', epoch: 1, tool: '0.1.0', now });
  // A packet leaves six events at least.
  const work = plannedWork(Math.ceil(commits / 6));
  while (drafts.length < commits) {
    now += 700;
    // Agents take minutes and judging takes no time: an answer is judged before the next one comes.
    const effects = plan(state);
    const next = effects.find(({ type }) => type === 'JudgeAnswer') ?? effects[0];
    const command = next && reportOf(next, state, work, now);
    if (command !== undefined) give(command);
    if (state.lifecycle.path.startsWith('deriving')) continue;
    if (state.lifecycle.path === 'cooldown') now = nextDeadline(state, now) ?? now;
    give({ type: 'Advance', running: state.leases, now });
  }
  return drafts.slice(0, commits);
};

type Work = { readonly tasks: readonly PlannedTask[]; readonly packets: readonly PlannedPacket[] };

const TASKS_A_PACKET = 3;

const plannedWork = (packets: number): Work => {
  const tasks = Array.from({ length: packets * TASKS_A_PACKET }, (_, index): PlannedTask => ({
    id: `t-${blobOf(`task ${index}`).digest.slice(0, 16)}` as PlannedTask['id'],
    kind: 'review',
    unit: `packages/part-${index >> 6}`,
    lens: 'correctness',
    paths: [`packages/part-${index >> 6}/src/file-${index}.ts`],
  }));
  return {
    tasks,
    packets: Array.from({ length: packets }, (_, index) => ({
      id: `p-${blobOf(`packet ${index}`).digest.slice(0, 16)}` as PlannedPacket['id'],
      tasks: tasks.slice(index * TASKS_A_PACKET, (index + 1) * TASKS_A_PACKET).map(({ id }) => id),
      tokens: 12_000,
      prompt: blobOf(`prompt ${index}`),
    })),
  };
};

const reportOf = (
  effect: Effect,
  state: AuditState,
  work: Work,
  now: number,
): Command | undefined => {
  switch (effect.type) {
    case 'DeriveStage': {
      const { stage: obligation, basis } = effect;
      const artifact = blobOf(obligation);
      const planned = obligation === 'planning' ? work : {};
      return { type: 'ReportDerived', obligation, basis, artifact, ...planned, now };
    }
    case 'RunAttempt': {
      const { token } = effect;
      if (token % 499 === 0) {
        const resetAt = now + 60_000;
        const report = { end: { kind: 'limited', limit: 'rate', resetAt } } as const;
        return { type: 'ReportAttempt', token, report, now };
      }
      if (token % 25 === 0) {
        const report = { end: { kind: 'crashed', exitCode: 1 } } as const;
        return { type: 'ReportAttempt', token, report, now };
      }
      const report = {
        end: { kind: 'exited' },
        answer: blobOf(`answer ${token}`),
        stdout: blobOf(`stdout ${token}`),
        usage: { inputTokens: 12_000, outputTokens: 800, costUsd: 0.05 },
      } as const;
      return { type: 'ReportAttempt', token, report, now };
    }
    case 'JudgeAnswer': {
      const tasks = state.packets.get(effect.packet)?.spec.tasks ?? [];
      const verdicts = tasks.map((task, index) => verdictOf(task, effect.of + index));
      return { type: 'ReportJudged', of: effect.of, verdicts, now };
    }
    case 'StopAttempt':
    case 'OpenInput':
    case 'WriteReport':
      return undefined;
  }
};

const verdictOf = (task: TaskId, number: number): TaskVerdict =>
  number % 30 === 0
    ? { kind: 'rejected', task, code: 'wrong-shape', message: 'severity: Invalid option.' }
    : {
        kind: 'accepted',
        task,
        result: blobOf(`result ${task}`),
        verdict: 'clean',
        findings: { critical: 0, high: 0, medium: 0, low: 0, info: 0 },
      };

const blobOf = (text: string): BlobRef => ({
  digest: hash('sha256', text) as Digest,
  bytes: 1234,
});

const OPENING = {
  type: 'OpenAudit',
  audit: '20261130T101400123Z-1f3c9a' as AuditId,
  root: { name: 'sample', inventory: 'git' },
  inputDigest: blobOf('input').digest,
  files: 1000,
  settings: {
    provider: 'scripted',
    reviewer: 'agent',
    accounts: [{ id: 'agent' as AccountId, ceiling: 4, source: 'declared' }],
    lenses: ['correctness'],
    include: [],
    exclude: [],
    limits: { attemptsMax: 3, wallMs: 600_000, idleMs: 60_000, outputBytesMax: 1_000_000 },
    failOn: 'high',
    consent: [],
  },
  tool: { name: 'casefile', version: '0.1.0' },
  schema: { log: 1, answer: 1 },
} as const satisfies Omit<Extract<Command, { type: 'OpenAudit' }>, 'now'>;
