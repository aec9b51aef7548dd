import { z } from 'zod';
import { narrowing, settingSources } from './config.ts';
import { depth } from './depth.ts';
import { accountId } from './ids.ts';
import { lensDefinition, OWN_LENSES_MAX } from './lens-definition.ts';
import { selection } from './selection.ts';
import { gateSeverity, lens, limitSource, providerId, reviewer } from './vocabulary.ts';

/** The bounds of one attempt. */
export const attemptLimits = z.strictObject({
  /** Counted attempts of one packet before its open tasks are abandoned. */
  attemptsMax: z.int().positive(),
  /** Whole time of one attempt. */
  wallMs: z.int().positive(),
  /** Longest silence (no byte on stdout or stderr, no change of the answer file). */
  idleMs: z.int().positive(),
  /** Bytes kept of each of stdout and stderr; ten times as much ends the attempt. */
  outputBytesMax: z.int().positive(),
});
export type AttemptLimits = z.infer<typeof attemptLimits>;

/** An account and how many calls it may have in flight. */
export const accountSetting = z.strictObject({
  id: accountId,
  ceiling: z.int().positive(),
  source: limitSource,
});
export type AccountSetting = z.infer<typeof accountSetting>;

/**
 * What an audit was asked to do, recorded with `AuditOpened`. No program, argument or path of the
 * machine stands here (L6): those belong to the invocation.
 */
export const settings = z.strictObject({
  provider: providerId,
  reviewer,
  model: z.string().optional(),
  accounts: z.array(accountSetting).min(1),
  lenses: z.array(lens).min(1),
  /** Those of them that are not ours. */
  ownLenses: z.array(lensDefinition).min(1).max(OWN_LENSES_MAX).optional(),
  /** How much an agent is asked; `standard` where it does not stand. */
  depth: depth.optional(),
  /** Only these components of the tree, by folder or name; absent: all. */
  components: z.array(z.string()).min(1).optional(),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  /** The part of the repository that changed; everything where it does not stand. */
  selection: selection.optional(),
  /**
   * How far the review is deepened: estimated tokens, as a share of the plan's, and rounds. Absent: not
   * at all.
   */
  deepening: z
    .strictObject({ share: z.number().positive().max(1), roundsMax: z.int().positive() })
    .optional(),
  /** Whether an agent is to write what it all means. */
  narrative: z.boolean().optional(),
  limits: attemptLimits,
  failOn: gateSeverity,
  consent: z.array(z.string()),
  /** False: everything is asked anew, whatever earlier audits say. By default they are asked first. */
  inherits: z.boolean().optional(),
  /** What the repository's own file took away; `lenses` above are without what it took. */
  narrowing: narrowing.optional(),
  /** Where each setting came from when the audit was opened. */
  sources: settingSources.optional(),
});
export type Settings = z.infer<typeof settings>;

/** What `LimitsChanged` may change while an audit goes on. */
export const settingsChange = settings
  .pick({ provider: true, model: true, accounts: true, limits: true, consent: true })
  .partial();
export type SettingsChange = z.infer<typeof settingsChange>;

/** The settings with the changes that are given; what is left out stays. */
export const changedSettings = (current: Settings, changes: SettingsChange): Settings => {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...current, ...(Object.fromEntries(given) as Partial<Settings>) };
};
