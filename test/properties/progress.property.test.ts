import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AuditEvent } from '../../src/domain/events.ts';
import type { PacketId } from '../../src/domain/ids.ts';
import { execute } from '../../src/decider/execute.ts';
import { nextDeadline, plan } from '../../src/decider/plan.ts';
import { evolve } from '../../src/decider/evolve.ts';
import { initialState } from '../../src/decider/state.ts';
import { accepts, advance, derives, judges, refuses, reports } from '../helpers/command-samples.ts';
import { play, script } from '../helpers/history.ts';
import { blob, packet, planned, settings } from '../helpers/samples.ts';

const ATTEMPTS_MAX = settings().limits.attemptsMax;

/** Ends that are nobody's fault; everything else must lead somewhere (A4). */
const UNCOUNTED = new Set(['limited', 'overloaded', 'cancelled', 'not-started']);

/** An account of attempts by the events alone: what was tried for a packet and those it came from. */
const tallyOf = (events: readonly AuditEvent[]) => {
  const roots = new Map<PacketId, PacketId>();
  const packetOfToken = new Map<number, PacketId>();
  const tally = new Map<PacketId, { counted: number; tried: number; tasks: number }>();
  const of = (packet: PacketId) => {
    const root = roots.get(packet) as PacketId;
    const entry = tally.get(root) ?? { counted: 0, tried: 0, tasks: 0 };
    tally.set(root, entry);
    return entry;
  };
  for (const [index, event] of events.entries()) {
    if (event.type === 'PacketsPlanned') {
      for (const { id, replaces, tasks } of event.packets) {
        roots.set(id, replaces === undefined ? id : (roots.get(replaces) as PacketId));
        if (replaces === undefined) of(id).tasks = tasks.length;
      }
    }
    if (event.type === 'AttemptStarted') packetOfToken.set(index + 1, event.packet);
    if (event.type === 'AttemptEnded') {
      const entry = of(packetOfToken.get(event.token) as PacketId);
      if (event.counted) entry.counted += 1;
      if (!UNCOUNTED.has(event.end.kind)) entry.tried += 1;
    }
    if (event.type === 'ResultRejected' && event.counted === true) of(event.packet).counted += 1;
  }
  return tally;
};

test('every packet has a bounded number of attempts, counted over all lives of the audit (R13, B10)', () => {
  fc.assert(
    fc.property(script(140), (history) => {
      const events = play(history).commits.flatMap((commit) => commit.events);
      for (const { counted, tried, tasks } of tallyOf(events).values()) {
        expect(counted).toBeLessThanOrEqual(ATTEMPTS_MAX);
        // Each other one that ended by itself settled a task at least, or found them all settled.
        expect(tried).toBeLessThanOrEqual(ATTEMPTS_MAX + tasks + 1);
      }
    }),
    { numRuns: 400 },
  );
});

type Answer = 'crashed' | 'lost' | 'expired' | 'exited' | 'one-task' | 'rubbish';

/** Plays an audit with such agents, and a process that is killed before some of its steps. */
const playWith = (
  { sizes, answers, killed }: { sizes: number[]; answers: Answer[]; killed: boolean[] },
  stepsMax = 600,
) => {
  let next = 1;
  const events = planned(sizes.map((size) => Array.from({ length: size }, () => next++)));
  const state = events.reduce(evolve, initialState());
  let now = state.at;
  const give = (command: Parameters<typeof execute>[1]): void => {
    const execution = execute(state, command);
    if (execution.kind === 'decided') events.push(...execution.events);
  };
  for (let step = 1; state.completed === undefined && step < stepsMax; step += 1) {
    if (killed[step % killed.length] === true) {
      give({ type: 'OpenWriter', epoch: state.writer.epoch + 1, tool: '0.1.0', now });
    }
    const [effect] = plan(state).toSorted((left) => (left.type === 'JudgeAnswer' ? -1 : 0));
    if (effect?.type === 'RunAttempt') {
      const answer = answers[effect.token % answers.length] ?? 'lost';
      give(
        answer === 'one-task' || answer === 'rubbish'
          ? reports(effect.token, { kind: 'exited' }, blob(`${answer} ${effect.token}`), now)
          : reports(effect.token, { kind: answer }, undefined, now),
      );
    } else if (effect?.type === 'JudgeAnswer') {
      const open = (state.packets.get(effect.packet)?.spec.tasks ?? []).filter(
        (task) => state.tasks.get(task)?.status === 'open',
      );
      const [first, ...rest] = open.map((task) => Number.parseInt(task.slice(2), 16));
      give(
        first === undefined || answers[effect.of % answers.length] === 'rubbish'
          ? judges(effect.of, [refuses('unreadable-answer')], undefined, now)
          : judges(effect.of, [accepts(first)], packet(1000 + effect.of, rest), now),
      );
    } else if (effect?.type === 'DeriveStage') give(derives(state, { now }));
    else {
      give(advance(now));
      if (state.leases.size === 0) now = nextDeadline(state, now) ?? now + 1;
    }
  }
  return { state, events };
};

const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
const killed = fc.array(fc.boolean(), { minLength: 1, maxLength: 7 });

test('agents that always fail, and a process killed between any two of its steps, come to the end', () => {
  const answers = fc.array(fc.constantFrom<Answer>('crashed', 'lost', 'expired', 'exited'), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(fc.record({ sizes, answers, killed }), (world) => {
      const { state, events } = playWith(world);
      expect(state.completed?.how).toBe('partial');
      expect(state.counts.tasks.abandoned).toBe(state.tasks.size);
      const starts = events.filter(({ type }) => type === 'AttemptStarted').length;
      expect(starts).toBe(world.sizes.length * ATTEMPTS_MAX);
    }),
    { numRuns: 150 },
  );
});

test('a packet cut smaller by answers in part has no more failures than one that is not', () => {
  const answers = fc.array(fc.constantFrom<Answer>('crashed', 'one-task', 'rubbish'), {
    minLength: 1,
    maxLength: 9,
  });
  fc.assert(
    fc.property(fc.record({ sizes, answers, killed }), (world) => {
      const { state, events } = playWith(world);
      expect(state.completed).toBeDefined();
      for (const { counted, tried, tasks } of tallyOf(events).values()) {
        expect(counted).toBeLessThanOrEqual(ATTEMPTS_MAX);
        expect(tried).toBeLessThanOrEqual(ATTEMPTS_MAX + tasks);
      }
    }),
    { numRuns: 300 },
  );
});
