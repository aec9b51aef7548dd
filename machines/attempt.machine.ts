import { setup } from 'xstate';

/**
 * The life of a packet between being planned and being settled, as one attempt follows another.
 *
 * It is here to be looked at and to be the oracle: the plain reducer in `decider/packet-board.ts`
 * does the work, and a property test drives both with the same events and requires that they agree.
 *
 * `running`: started by the process that writes now. `leased`: started by an earlier one; the lease
 * stands, and whether a process still runs is to be found out (adopt, take the answer, or lost).
 */
export type AttemptChartEvent = {
  readonly type:
    | 'AttemptStarted'
    | 'AttemptEnded'
    | 'WriterOpened'
    | 'ResultAccepted'
    | 'ResultRejected'
    | 'TaskAbandoned'
    | 'InputDrifted'
    | 'PacketReplaced';
  /** Every task of the packet is settled after this event. */
  readonly allSettled?: boolean;
  /** An answer, or a last failure, waits to be judged. */
  readonly toJudge?: boolean;
  /** The packet is given back. */
  readonly givenBack?: boolean;
  /** It may start again only after a while. */
  readonly backOff?: boolean;
};

export const attemptMachine = setup({
  types: { context: {} as Record<string, never>, events: {} as AttemptChartEvent },
  guards: {
    allSettled: ({ event }) => event.allSettled === true,
    toJudge: ({ event }) => event.toJudge === true,
    backOff: ({ event }) => event.backOff === true,
    givenBackLater: ({ event }) => event.givenBack === true && event.backOff === true,
    givenBack: ({ event }) => event.givenBack === true,
  },
}).createMachine({
  id: 'attempt',
  context: {},
  initial: 'ready',
  states: {
    ready: {
      on: {
        AttemptStarted: { target: 'running' },
        ResultAccepted: { guard: 'allSettled', target: 'settled' },
        TaskAbandoned: { guard: 'allSettled', target: 'abandoned' },
        InputDrifted: { guard: 'allSettled', target: 'settled' },
        PacketReplaced: { target: 'settled' },
      },
    },
    running: {
      on: {
        WriterOpened: { target: 'leased' },
        AttemptEnded: [
          { guard: 'toJudge', target: 'answered' },
          { guard: 'backOff', target: 'backingOff' },
          { target: 'ready' },
        ],
        ResultAccepted: { guard: 'allSettled', target: 'settled' },
        TaskAbandoned: { guard: 'allSettled', target: 'abandoned' },
        InputDrifted: { guard: 'allSettled', target: 'settled' },
      },
    },
    leased: {
      on: {
        AttemptEnded: [
          { guard: 'toJudge', target: 'answered' },
          { guard: 'backOff', target: 'backingOff' },
          { target: 'ready' },
        ],
        ResultAccepted: { guard: 'allSettled', target: 'settled' },
        TaskAbandoned: { guard: 'allSettled', target: 'abandoned' },
        InputDrifted: { guard: 'allSettled', target: 'settled' },
      },
    },
    answered: {
      on: {
        ResultAccepted: { guard: 'allSettled', target: 'settled' },
        ResultRejected: [
          { guard: 'givenBackLater', target: 'backingOff' },
          { guard: 'givenBack', target: 'ready' },
        ],
        TaskAbandoned: { guard: 'allSettled', target: 'abandoned' },
        InputDrifted: { guard: 'allSettled', target: 'settled' },
        PacketReplaced: { target: 'settled' },
      },
    },
    backingOff: {
      on: {
        AttemptStarted: { target: 'running' },
        ResultAccepted: { guard: 'allSettled', target: 'settled' },
        TaskAbandoned: { guard: 'allSettled', target: 'abandoned' },
        InputDrifted: { guard: 'allSettled', target: 'settled' },
        PacketReplaced: { target: 'settled' },
      },
    },
    settled: {},
    abandoned: {},
  },
});
