import type { Commit, LogPosition } from '../domain/commit.ts';
import type { Command, Rejection } from '../domain/commands.ts';
import type { Effect } from '../domain/effects.ts';
import type { Instant, Token } from '../domain/ids.ts';
import { evolveCommit } from '../decider/evolve.ts';
import { execute } from '../decider/execute.ts';
import { nextDeadline, plan } from '../decider/plan.ts';
import { copyState, type AuditState } from '../decider/state.ts';
import type { Clock } from '../platform/clock.ts';
import { assert } from '../std/assert.ts';
import type { EventStore } from '../store/event-store.ts';
import { createAlarm } from './alarm.ts';
import type { Performer } from './performer.ts';

/**
 * The loop, and the log's one appender.
 *
 *   command ─► decide on the head state ─► append ─► (sync) ─► published state ─► plan ─► effects
 *      ▲                                                                                    │
 *      └────────────────────────── what comes back ◄────────────────────────────────────────┘
 *
 * Two states fold the same events (C3): `head` at encoding, for the next decision; `published` after
 * the sync, for everything that leaves this file. Nothing is started, answered or shown before the
 * event that caused it is durable (C1). There is no second path for recovery: `plan` says what ought
 * to run, and what does not run yet is started.
 */
export type Engine = {
  /** What is durable. Read it, never change it. */
  readonly published: () => AuditState;
  readonly position: () => LogPosition;
  /** Decides, appends and waits for the sync. A rejection is answered as late as what it rests on. */
  readonly submit: (command: CommandBody) => Promise<Reply>;
  /** Performs effects until the audit rests: complete, blocked, cooling (without `wait`) or stopped. */
  readonly run: () => Promise<RunEnd>;
  /**
   * Asks for a stop: no more starts; attempts in flight may answer for `graceMs`, then they are
   * ended. A second call ends them at once (A5).
   */
  readonly stop: () => void;
  /** Writes `WriterClosed` and waits for the last sync (V3). */
  readonly close: () => Promise<void>;
};

/** A command without its time: the engine stamps it. */
export type CommandBody = Command extends infer C
  ? C extends Command
    ? Omit<C, 'now'>
    : never
  : never;

export type Reply =
  | { readonly kind: 'done'; readonly seq: number }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export type RunEnd = { readonly kind: 'complete' | 'blocked' | 'cooling' | 'stopped' | 'planned' };

export type EngineParts = {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly epoch: number;
  /** The log so far, folded. The engine owns it from now on. */
  readonly state: AuditState;
  readonly performer: Performer;
  /** Called after each sync, in order, with what is durable now. */
  readonly onPublished?: (commit: Commit, state: AuditState, position: LogPosition) => void;
};

export type EngineOptions = {
  /** Sleep through cooldowns instead of ending the run. */
  readonly wait: boolean;
  readonly graceMs: number;
  /** Derive what can be derived and rest there. */
  readonly startNothing?: boolean;
  /** With `startNothing`: nothing is derived of a plan, also where nothing is left to ask. */
  readonly restAtPlan?: boolean;
};

type Running = { readonly effect: Effect; readonly stop: AbortController };

export const createEngine = (parts: EngineParts, options: EngineOptions): Engine => {
  const { store, clock, epoch, performer } = parts;
  const published = parts.state;
  const head = copyState(published);
  const running = new Map<string, Running>();
  const refused = new Set<string>();
  const alarm = createAlarm();
  let position = store.durable();
  let synced: Promise<unknown> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  /** `graceUntil` is gone once the attempts have been ended. */
  let stopping: { readonly graceUntil: Instant | undefined } | undefined;
  const reported = new Set<string>();

  /** What is added to the clock while it is behind the log. */
  let aheadMs = 0;

  /**
   * Never earlier than the log: a clock that went back must not make time run backwards in it. Nor may
   * time stand still until the clock has caught up: meanwhile it goes on from where the log is.
   */
  const now = (): Instant => {
    const read = clock.now();
    aheadMs = read >= head.at ? 0 : Math.max(aheadMs, head.at - read);
    return read + aheadMs;
  };

  const fail = (error: unknown): void => {
    failure ??= { error };
    alarm.ring();
  };

  const publish = (commit: Commit, reached: LogPosition): void => {
    evolveCommit(published, commit);
    assert(published.seq === reached.seq, 'C3: the published state stands where the log does');
    position = reached;
    parts.onPublished?.(commit, published, reached);
    alarm.ring();
  };

  const submit = async (body: CommandBody): Promise<Reply> => {
    if (failure !== undefined) throw failure.error;
    const command = { ...body, now: now() } as Command;
    const expected = { seq: head.seq, epoch };
    const execution = execute(head, command);
    if (execution.kind === 'rejected') {
      await synced;
      return { kind: 'rejected', rejection: execution.rejection };
    }
    const { events, from, to, cause } = execution;
    if (events.length === 0) return { kind: 'done', seq: head.seq };
    const seq = head.seq;
    try {
      const appended = store
        .append({ at: command.now, cause, events, from, to }, expected)
        .then(({ commit, position: reached }) => publish(commit, reached));
      synced = appended;
      await appended;
    } catch (error) {
      fail(error);
      throw error;
    }
    return { kind: 'done', seq };
  };

  /** Performs one effect and hands in what came of it; one report for one effect. */
  const perform = async ({ effect, stop }: Running): Promise<void> => {
    const report = await resultOf(effect, stop.signal);
    if (report === undefined) return;
    const reply = await submit(report);
    if (reply.kind === 'rejected') refused.add(effect.key);
  };

  const resultOf = async (effect: Effect, stop: AbortSignal): Promise<CommandBody | undefined> => {
    switch (effect.type) {
      case 'DeriveStage': {
        const report = await performer.derive(effect, published, stop);
        if (stop.aborted) return undefined;
        const { stage: obligation, basis } = effect;
        if (report.kind === 'failed') {
          const { message, remedy } = report;
          return { type: 'ReportStageFailed', obligation, basis, message, remedy };
        }
        const { kind: _, drifted = [], ...artifacts } = report;
        // Drift that is new moves the inputs on: this report is refused, and the stage runs again.
        if (drifted.length > 0) await submit({ type: 'ReportDrift', paths: drifted });
        return { type: 'ReportDerived', obligation, basis, ...artifacts };
      }
      case 'RunAttempt':
      case 'StopAttempt': {
        const report = await performer.attempt(effect, published, stop);
        return { type: 'ReportAttempt', token: effect.token, report };
      }
      case 'JudgeAnswer': {
        const judged = await performer.judge(effect, published);
        return { type: 'ReportJudged', of: effect.of, ...judged };
      }
      case 'OpenInput': {
        const opened = await performer.openInput(effect, published);
        return { type: 'ReportInput', of: effect.of, ...opened };
      }
      case 'WriteReport':
        await performer.report(published, position);
        return undefined;
    }
  };

  /** The difference between what ought to run and what runs. */
  const reconcile = (): void => {
    const wanted = plan(published);
    const keys = new Set(wanted.map(({ key }) => key));
    for (const [key, { stop }] of running) {
      if (!keys.has(key)) stop.abort('not-planned');
    }
    for (const effect of wanted) {
      const runs = running.get(effect.key);
      if (runs !== undefined) {
        if (effect.type === 'StopAttempt') runs.stop.abort('settled');
        continue;
      }
      if (isHeldBack(effect)) continue;
      assert(!refused.has(effect.key), `P1: ${effect.key} was refused, yet it is planned again`);
      start(effect);
    }
  };

  const isPlanned = (): boolean =>
    options.restAtPlan === true && published.obligations.get('planning')?.state === 'current';

  /** Once a stop is asked for, only what was paid for goes on: attempts, and judging their answers. */
  const isHeldBack = (effect: Effect): boolean =>
    (stopping !== undefined && effect.type === 'DeriveStage') ||
    (options.startNothing === true && effect.type === 'RunAttempt') ||
    (effect.type === 'DeriveStage' && isPlanned()) ||
    reported.has(effect.key);

  const start = (effect: Effect): void => {
    const entry: Running = { effect, stop: new AbortController() };
    if (effect.type === 'StopAttempt') entry.stop.abort('settled');
    running.set(effect.key, entry);
    perform(entry)
      .then(() => {
        if (effect.type === 'WriteReport') reported.add(effect.key);
      })
      .catch(fail)
      .finally(() => {
        running.delete(effect.key);
        alarm.ring();
      });
  };

  const endRunning = (): void => {
    stopping = { graceUntil: undefined };
    for (const { effect, stop } of running.values()) {
      if (effect.type === 'RunAttempt' || effect.type === 'DeriveStage') stop.abort('operator');
    }
  };

  /** Nothing is under way, nothing is about to be; a stage that was told to stop is not waited for. */
  const isIdle = (): boolean =>
    head.seq === published.seq &&
    (published.leases.size === 0 || options.startNothing === true) &&
    [...running.values()].every(({ effect }) => isHeldBack(effect)) &&
    plan(published).every((effect) => isHeldBack(effect));

  /** Whether the audit rests, and how. Paid work in flight is always waited for. */
  const restingEnd = (): RunEnd | undefined => {
    if (!isIdle()) return undefined;
    const { path } = published.lifecycle;
    if (path === 'complete') return { kind: 'complete' };
    if (options.startNothing === true && (isPlanned() || !path.startsWith('deriving'))) {
      return { kind: 'planned' };
    }
    if (stopping !== undefined) return { kind: 'stopped' };
    if (path === 'blocked') return { kind: 'blocked' };
    if (path === 'cooldown' && !options.wait) return { kind: 'cooling' };
    if (published.writer.stop !== undefined && (path === 'dispatching' || path === 'cooldown')) {
      return { kind: 'stopped' };
    }
    return undefined;
  };

  /** Leases that this process runs, or is about to: their time is watched by their runner. */
  const attended = (): Set<Token> =>
    new Set(
      [...head.leases].filter(
        (token) => !published.leases.has(token) || running.has(`attempt:${token}`),
      ),
    );

  const run = async (): Promise<RunEnd> => {
    for (;;) {
      const heard = alarm.listen();
      if (failure !== undefined) throw failure.error;
      reconcile();
      if (options.startNothing !== true) {
        await submit({ type: 'Advance', running: attended() });
      }
      const end = restingEnd();
      if (end !== undefined) return end;
      const graceUntil = stopping?.graceUntil;
      if (graceUntil !== undefined && now() >= graceUntil) endRunning();
      await sleep(heard, earliest(stopping?.graceUntil, nextDeadline(published, now())));
    }
  };

  const sleep = async (heard: Promise<void>, deadline: Instant | undefined): Promise<void> => {
    if (deadline === undefined) return heard;
    const sleeper = new AbortController();
    await Promise.race([heard, clock.sleepUntil(deadline - aheadMs, sleeper.signal)]);
    sleeper.abort();
  };

  return {
    published: () => published,
    position: () => position,
    submit,
    run,
    stop: () => {
      if (stopping === undefined) {
        stopping = { graceUntil: now() + options.graceMs };
        submit({ type: 'RequestStop', reason: 'signal' }).catch(fail);
      } else endRunning();
      alarm.ring();
    },
    close: async () => {
      await submit({ type: 'CloseWriter' });
      await store.close();
    },
  };
};

const earliest = (...instants: readonly (Instant | undefined)[]): Instant | undefined =>
  instants.reduce((first, instant) =>
    first === undefined || (instant !== undefined && instant < first) ? instant : first,
  );
