import { assign, setup } from 'xstate';

/**
 * The life of an audit. The order of `choosing` is the priority list of the obligations; there is
 * no second one. Guards read booleans: those that events carry, and those that `keepFlags` kept.
 *
 * The literal is static, so that Stately's tools can read it. Nothing here starts, waits or
 * remembers more than these booleans: timers are deadlines in the folded state, work is an effect.
 */

/** What the chart remembers: which obligations hold, and whether something waits. */
export type AuditFlags = {
  readonly inventory: boolean;
  readonly disposition: boolean;
  readonly formatting: boolean;
  readonly structure: boolean;
  readonly enrichment: boolean;
  readonly designAssessment: boolean;
  readonly planning: boolean;
  readonly runtimeValidation: boolean;
  readonly synthesis: boolean;
  readonly narrative: boolean;
  /** Answers (or ends that must be judged) wait. */
  readonly answersWaiting: boolean;
  /** Tasks are open: review, or the narrative. */
  readonly openWork: boolean;
};

export type AuditChartEvent = {
  readonly type:
    | 'ArtifactDerived'
    | 'ObligationWaived'
    | 'ArtifactsStale'
    | 'AttemptStarted'
    | 'AttemptEnded'
    | 'AnswersImported'
    | 'ResultAccepted'
    | 'ResultRejected'
    | 'TaskAbandoned'
    | 'IngestionFinished'
    | 'CooldownStarted'
    | 'CooldownElapsed'
    | 'LimitsChanged'
    | 'AuditBlocked'
    | 'AuditResumed'
    | 'OperatorAnswered'
    | 'StopRequested'
    | 'AuditCompleted';
  readonly canStart?: boolean;
  readonly cooling?: boolean;
  readonly blocked?: boolean;
} & { readonly [Flag in keyof AuditFlags]?: boolean };

export const auditMachine = setup({
  types: { context: {} as AuditFlags, events: {} as AuditChartEvent },
  guards: {
    inventoryMissing: ({ context }) => !context.inventory,
    dispositionMissing: ({ context }) => !context.disposition,
    formattingMissing: ({ context }) => !context.formatting,
    structureMissing: ({ context }) => !context.structure,
    enrichmentMissing: ({ context }) => !context.enrichment,
    designAssessmentMissing: ({ context }) => !context.designAssessment,
    planningMissing: ({ context }) => !context.planning,
    runtimeValidationMissing: ({ context }) => !context.runtimeValidation,
    synthesisMissing: ({ context }) => !context.synthesis,
    answersWait: ({ context }) => context.answersWaiting,
    workIsOpen: ({ context }) => context.openWork,
    blockerStands: ({ event }) => event.blocked === true,
    nothingToDispatch: ({ context, event }) =>
      event.openWork !== true ||
      !(
        context.inventory &&
        context.disposition &&
        context.formatting &&
        context.structure &&
        context.enrichment &&
        context.designAssessment &&
        context.planning
      ),
    accountsCool: ({ event }) => event.cooling === true,
    somethingCanStart: ({ event }) => event.canStart === true,
  },
  actions: {
    keepFlags: assign(({ context, event }) => {
      const flags: Record<string, boolean> = { ...context };
      for (const name of Object.keys(context) as (keyof AuditFlags)[]) {
        const value = event[name];
        if (value !== undefined) flags[name] = value;
      }
      return flags as AuditFlags;
    }),
  },
}).createMachine({
  id: 'audit',
  context: {
    inventory: false,
    disposition: false,
    formatting: false,
    structure: false,
    enrichment: false,
    designAssessment: false,
    planning: false,
    runtimeValidation: false,
    synthesis: false,
    narrative: false,
    answersWaiting: false,
    openWork: false,
  },
  initial: 'deriving',
  states: {
    deriving: {
      initial: 'choosing',
      states: {
        choosing: {
          always: [
            { guard: 'inventoryMissing', target: 'inventory' },
            { guard: 'dispositionMissing', target: 'disposition' },
            { guard: 'formattingMissing', target: 'formatting' },
            { guard: 'structureMissing', target: 'structure' },
            { guard: 'enrichmentMissing', target: 'enrichment' },
            { guard: 'designAssessmentMissing', target: 'designAssessment' },
            { guard: 'planningMissing', target: 'planning' },
            { guard: 'answersWait', target: '#audit.ingesting' },
            { guard: 'workIsOpen', target: '#audit.dispatching' },
            { guard: 'runtimeValidationMissing', target: 'runtimeValidation' },
            { guard: 'synthesisMissing', target: 'synthesis' },
            { target: 'finishing' },
          ],
        },
        inventory: {},
        disposition: {},
        formatting: {},
        structure: {},
        enrichment: {},
        designAssessment: {},
        planning: {},
        runtimeValidation: {},
        synthesis: {},
        finishing: {
          on: {
            AuditCompleted: { target: '#audit.complete' },
          },
        },
      },
      on: {
        ArtifactDerived: { target: '.choosing', actions: 'keepFlags' },
        ObligationWaived: { target: '.choosing', actions: 'keepFlags' },
        ArtifactsStale: { target: '.choosing', actions: 'keepFlags' },
        AuditBlocked: { target: 'blocked' },
        AttemptEnded: { actions: 'keepFlags' },
        AnswersImported: { actions: 'keepFlags' },
        LimitsChanged: { actions: 'keepFlags' },
        StopRequested: { actions: 'keepFlags' },
      },
    },
    dispatching: {
      on: {
        AttemptStarted: { actions: 'keepFlags' },
        AttemptEnded: { target: 'ingesting', actions: 'keepFlags' },
        AnswersImported: { target: 'ingesting', actions: 'keepFlags' },
        CooldownStarted: { target: 'cooldown' },
        AuditBlocked: { target: 'blocked' },
        LimitsChanged: { actions: 'keepFlags' },
        ArtifactsStale: { target: 'deriving', actions: 'keepFlags' },
        StopRequested: { actions: 'keepFlags' },
      },
    },
    ingesting: {
      on: {
        AttemptStarted: { actions: 'keepFlags' },
        AttemptEnded: { actions: 'keepFlags' },
        AnswersImported: { actions: 'keepFlags' },
        CooldownStarted: { actions: 'keepFlags' },
        ResultAccepted: { actions: 'keepFlags' },
        ResultRejected: { actions: 'keepFlags' },
        TaskAbandoned: { actions: 'keepFlags' },
        IngestionFinished: [
          { guard: 'blockerStands', target: 'blocked', actions: 'keepFlags' },
          { guard: 'nothingToDispatch', target: 'deriving', actions: 'keepFlags' },
          { guard: 'accountsCool', target: 'cooldown', actions: 'keepFlags' },
          { target: 'dispatching', actions: 'keepFlags' },
        ],
        LimitsChanged: { actions: 'keepFlags' },
        ArtifactsStale: { actions: 'keepFlags' },
        StopRequested: { actions: 'keepFlags' },
      },
    },
    cooldown: {
      on: {
        CooldownElapsed: { target: 'dispatching' },
        LimitsChanged: [
          { guard: 'somethingCanStart', target: 'dispatching' },
          { actions: 'keepFlags' },
        ],
        AttemptEnded: { target: 'ingesting', actions: 'keepFlags' },
        AnswersImported: { target: 'ingesting', actions: 'keepFlags' },
        CooldownStarted: { actions: 'keepFlags' },
        AuditBlocked: { target: 'blocked' },
        ArtifactsStale: { target: 'deriving', actions: 'keepFlags' },
        StopRequested: { actions: 'keepFlags' },
      },
    },
    blocked: {
      on: {
        OperatorAnswered: { target: 'deriving' },
        AuditResumed: { target: 'deriving' },
        LimitsChanged: { target: 'deriving' },
        AttemptEnded: { target: 'ingesting', actions: 'keepFlags' },
        AnswersImported: { target: 'ingesting', actions: 'keepFlags' },
        ArtifactsStale: { target: 'deriving', actions: 'keepFlags' },
        StopRequested: { actions: 'keepFlags' },
      },
    },
    complete: { type: 'final' },
  },
});
