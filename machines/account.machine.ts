import { setup } from 'xstate';

/**
 * What an account allows. Like the attempt's chart it is here to be looked at and to be the oracle
 * of the plain reducer in `decider/account-ledger.ts`.
 */
export type AccountChartEvent = {
  readonly type:
    | 'CooldownStarted'
    | 'CooldownElapsed'
    | 'AttemptStarted'
    | 'AccountThrottled'
    | 'AccountExhausted'
    | 'LimitsChanged'
    | 'AuditResumed';
  /** The account's own deadline has passed. */
  readonly due?: boolean;
  /** Its width is below what was declared for it. */
  readonly throttled?: boolean;
  /** Its deadline is still to come. */
  readonly cooling?: boolean;
};

export const accountMachine = setup({
  types: { context: {} as Record<string, never>, events: {} as AccountChartEvent },
  guards: {
    dueAndThrottled: ({ event }) => event.due === true && event.throttled === true,
    due: ({ event }) => event.due === true,
    throttled: ({ event }) => event.throttled === true,
    cooling: ({ event }) => event.cooling === true,
  },
}).createMachine({
  id: 'account',
  context: {},
  initial: 'open',
  states: {
    open: {
      on: {
        CooldownStarted: { target: 'cooling' },
        AccountThrottled: { target: 'throttled' },
        AccountExhausted: { target: 'exhausted' },
      },
    },
    throttled: {
      on: {
        CooldownStarted: { target: 'cooling' },
        AccountExhausted: { target: 'exhausted' },
        LimitsChanged: { target: 'open' },
      },
    },
    cooling: {
      on: {
        CooldownElapsed: [
          { guard: 'dueAndThrottled', target: 'throttled' },
          { guard: 'due', target: 'open' },
        ],
        AttemptStarted: [{ guard: 'throttled', target: 'throttled' }, { target: 'open' }],
        AccountExhausted: { target: 'exhausted' },
      },
    },
    exhausted: {
      on: {
        LimitsChanged: [{ guard: 'cooling', target: 'cooling' }, { target: 'open' }],
        AuditResumed: [
          { guard: 'cooling', target: 'cooling' },
          { guard: 'throttled', target: 'throttled' },
          { target: 'open' },
        ],
      },
    },
  },
});
