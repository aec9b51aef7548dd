import fc from 'fast-check';
import { expect, test } from 'vitest';
import { initialTransition, transition } from 'xstate';
import { accountMachine, type AccountChartEvent } from '../../machines/account.machine.ts';
import { attemptMachine, type AttemptChartEvent } from '../../machines/attempt.machine.ts';
import type { AuditEvent } from '../../src/domain/events.ts';
import type { PacketId } from '../../src/domain/ids.ts';
import { accountStatus } from '../../src/decider/account-ledger.ts';
import { evolve } from '../../src/decider/evolve.ts';
import { initialState, type AccountRecord, type AuditState } from '../../src/decider/state.ts';
import { play, script } from '../helpers/history.ts';

/** The chart's word for a reducer's status. */
const CHART_STATE = { 'backing-off': 'backingOff' } as Record<string, string>;

/** What the event means for a packet's chart, read off the states before and after it. */
const attemptEvents = (
  event: AuditEvent,
  id: PacketId,
  before: { openTasks: number; lease: number | undefined; tasks: readonly string[] },
  after: AuditState,
): AttemptChartEvent[] => {
  const packet = after.packets.get(id);
  if (packet === undefined) return [];
  const allSettled = packet.openTasks === 0;
  switch (event.type) {
    case 'AttemptStarted':
      return event.packet === id ? [{ type: 'AttemptStarted' }] : [];
    case 'WriterOpened':
      return before.lease === undefined ? [] : [{ type: 'WriterOpened' }];
    case 'AttemptEnded': {
      if (before.lease !== event.token || before.openTasks === 0) return [];
      const spent = event.counted && event.retryAt === undefined;
      return [
        {
          type: 'AttemptEnded',
          toJudge: event.answer !== undefined || spent,
          backOff: event.retryAt !== undefined,
        },
      ];
    }
    case 'ResultAccepted':
    case 'TaskAbandoned':
      return before.openTasks > 0 && after.tasks.get(event.task)?.packet === id
        ? [{ type: event.type, allSettled }]
        : [];
    case 'InputDrifted':
      return before.openTasks > 0 ? [{ type: 'InputDrifted', allSettled }] : [];
    case 'ResultRejected': {
      if (event.packet !== id || event.counted === undefined) return [];
      const spent = event.counted && event.retryAt === undefined;
      return [{ type: 'ResultRejected', givenBack: !spent, backOff: event.retryAt !== undefined }];
    }
    case 'PacketsPlanned':
      return event.packets.some(({ replaces }) => replaces === id)
        ? [{ type: 'PacketReplaced' }]
        : [];
    default:
      return [];
  }
};

test('the attempt chart and the packet board agree at every event', () => {
  fc.assert(
    fc.property(script(), (plan) => {
      const state = initialState();
      const charts = new Map<
        PacketId,
        ReturnType<typeof initialTransition<typeof attemptMachine>>[0]
      >();
      for (const event of play(plan).commits.flatMap((commit) => commit.events)) {
        const before = new Map(
          [...state.packets].map(([id, { openTasks, lease, spec }]) => [
            id,
            { openTasks, lease, tasks: spec.tasks },
          ]),
        );
        evolve(state, event);
        for (const id of state.packets.keys()) {
          let snapshot = charts.get(id) ?? initialTransition(attemptMachine)[0];
          const was = before.get(id);
          for (const chartEvent of was === undefined ? [] : attemptEvents(event, id, was, state)) {
            [snapshot] = transition(attemptMachine, snapshot, chartEvent);
          }
          const status = state.packets.get(id)?.status ?? '';
          if (was === undefined && status === 'settled') {
            // Its files had changed before it was planned.
            const drifted = { type: 'InputDrifted', allSettled: true } as const;
            [snapshot] = transition(attemptMachine, snapshot, drifted);
          }
          charts.set(id, snapshot);
          expect(snapshot.value, event.type).toBe(CHART_STATE[status] ?? status);
        }
      }
    }),
    { numRuns: 400 },
  );
});

const accountEvents = (
  event: AuditEvent,
  before: AccountRecord,
  after: AccountRecord,
): AccountChartEvent[] => {
  const throttled = after.ceiling < after.declared;
  const cooling = after.cooldownUntil !== undefined;
  switch (event.type) {
    case 'AccountThrottled':
      return event.account === after.id && throttled ? [{ type: 'AccountThrottled' }] : [];
    case 'CooldownStarted':
    case 'AccountExhausted':
      return event.account === after.id ? [{ type: event.type }] : [];
    case 'CooldownElapsed':
      return [{ type: 'CooldownElapsed', due: (before.cooldownUntil ?? 0) <= event.at, throttled }];
    case 'AttemptStarted':
      return event.account === after.id ? [{ type: 'AttemptStarted', throttled }] : [];
    case 'LimitsChanged':
      return event.changes.accounts?.some(({ id }) => id === after.id)
        ? [{ type: 'LimitsChanged', cooling }]
        : [];
    case 'AuditResumed':
      return [{ type: 'AuditResumed', cooling, throttled }];
    default:
      return [];
  }
};

test('the account chart and the account ledger agree at every event', () => {
  fc.assert(
    fc.property(
      script(),
      fc.array(fc.nat({ max: 3 }), { maxLength: 12, size: 'max' }),
      (plan, extra) => {
        const state = initialState();
        let [snapshot] = initialTransition(accountMachine);
        const events = play(plan).commits.flatMap((commit) => commit.events);
        for (const [place, event] of events.entries()) {
          const more: AuditEvent[] =
            state.accounts.size > 0 && extra[place % 40] === 1 && event.type !== 'AttemptEnded'
              ? [
                  {
                    type: 'AccountThrottled',
                    account: [...state.accounts.keys()][0] as never,
                    ceiling: 1,
                    reason: 'r',
                    at: 1,
                  },
                ]
              : [];
          for (const one of [...more, event]) {
            const [was] = state.accounts.values();
            const before = was && { ...was };
            evolve(state, one);
            // What was put in between has no number of its own, or the tokens would shift.
            if (one !== event) state.seq -= 1;
            const [now] = state.accounts.values();
            if (now === undefined || before === undefined) continue;
            const isQuiet =
              one.type === 'AccountThrottled' &&
              (accountStatus(before) === 'cooling' || accountStatus(before) === 'exhausted');
            for (const chartEvent of isQuiet ? [] : accountEvents(one, before, now)) {
              [snapshot] = transition(accountMachine, snapshot, chartEvent);
            }
            expect(snapshot.value, one.type).toBe(accountStatus(now));
          }
        }
      },
    ),
    { numRuns: 400 },
  );
});
