import { z } from 'zod';
import { CONSENT_PATTERN, CONSENT_RULE } from './consent.ts';
import { DEPTHS } from './depth.ts';
import { DURATION_MS_MAX, DURATION_PATTERN, durationMs } from './duration.ts';
import { bundledLens, gateSeverity, LENSES, OWN_LENS_PATTERN, SEVERITIES } from './vocabulary.ts';

/**
 * What may stand in a configuration file, each key named after its flag. All keys are optional, and
 * each schema's message is the whole rule in one sentence: messages to people quote it.
 *
 * A value is checked here and never changed, so that the published JSON Schema says the same.
 */

/** Who can be asked for by name. `auto` looks around and says what it found. */
export const PROVIDER_WORDS = ['auto', 'builtin', 'command', 'handoff', 'scripted'] as const;
/** The predecessor's names for the same; `vscode-task` and `subprocess-template` have a command each. */
export const PROVIDER_ALIASES = ['local-subprocess', 'subprocess-template', 'vscode-task'] as const;
export const providerWord = z.enum([...PROVIDER_WORDS, ...PROVIDER_ALIASES], {
  error: `it must be one of ${PROVIDER_WORDS.join(', ')}`,
});
export type ProviderWord = z.infer<typeof providerWord>;

const count = (what: string) => {
  const error = `it must be a whole number of 1 or more (${what})`;
  return z.int({ error }).positive({ error }).describe(what);
};

/** More at a time than any account or machine takes; a slip of the finger must not make an array of it. */
export const PARALLEL_MAX = 1000;
const width = (what: string) => {
  const error = `it must be a whole number from 1 to ${PARALLEL_MAX} (${what})`;
  return z.int({ error }).positive({ error }).max(PARALLEL_MAX, { error }).describe(what);
};

const yesOrNo = (what: string) => z.boolean({ error: 'it must be true or false' }).describe(what);

const DURATION_RULE = 'it must be a duration up to 7 days: "90s", "30m", "1h", or milliseconds';
const duration = (what: string, least: 0 | 1) => {
  const error = least === 0 ? `${DURATION_RULE}, or 0` : DURATION_RULE;
  return z
    .union(
      [
        z.int({ error }).min(least, { error }).max(DURATION_MS_MAX, { error }),
        z
          .string({ error })
          .regex(DURATION_PATTERN, { error })
          .refine((text) => (durationMs(text) ?? -1) >= least, { error }),
      ],
      { error },
    )
    .describe(what);
};

const words = (what: string, rule: string) =>
  z.array(z.string({ error: rule }).regex(/\S/, { error: rule }), { error: rule }).describe(what);

const PATTERN_RULE = 'it must be an array of patterns as in .gitignore, none of them empty';
const LENS_RULE = `lenses are ${LENSES.join(', ')}`;
const OWN_LENS_RULE = `${LENS_RULE}, and files of your own in lenses/ beside this one, by name`;
const ownLensWord = z
  .string({ error: OWN_LENS_RULE })
  .regex(OWN_LENS_PATTERN, { error: OWN_LENS_RULE })
  .brand<'OwnLens'>();
const LENSES_RULE = 'it must be an array of one or more lenses';
const lensesOf = <T extends z.ZodType>(word: T) =>
  z.array(word, { error: LENSES_RULE }).min(1, { error: LENSES_RULE });

const COMMAND_RULE =
  'it must be the words of a command: an array of one or more strings, or one string';

const SHARE_RULE = 'it must be a share of the plan from 0 to 1';

const host = z
  .strictObject(
    {
      canDispatchSubagents: yesOrNo('The host can start agents of its own').optional(),
      canRestrictSubagentTools: yesOrNo('It can choose what tools they have').optional(),
      canSelectSubagentModel: yesOrNo('It can choose their model').optional(),
      maxActiveSubagents: count('how many it can have at a time').optional(),
    },
    { error: 'it must be an object of host capabilities' },
  )
  .describe('What a conversation host that does the work can do');

/** What the user's own file may hold; the repository's, what `repositoryConfig` keeps of it. */
export const config = z.strictObject(
  {
    $schema: z.string({ error: 'it must be the address of a JSON Schema' }).optional(),
    provider: providerWord.describe('Who answers. The default, builtin, spends nothing').optional(),
    command: z
      .union(
        [
          z.string({ error: COMMAND_RULE }).regex(/\S/, { error: COMMAND_RULE }),
          z.array(z.string({ error: COMMAND_RULE }), { error: COMMAND_RULE }).min(1, {
            error: COMMAND_RULE,
          }),
        ],
        { error: COMMAND_RULE },
      )
      .describe('The program of provider command; {prompt} {answer} {packet} {signal} {tree}')
      .optional(),
    passEnv: z
      .array(
        z
          .string({ error: 'it must be the name of a variable' })
          .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'it must be the name of a variable' }),
        { error: 'it must be an array of names of variables' },
      )
      .describe('Variables that the program of provider command gets')
      .optional(),
    parallel: width('attempts at a time').optional(),
    timeout: duration('Longest time of an attempt (default 30m)', 1).optional(),
    idleTimeout: duration('Longest silence of an attempt (default 10m)', 1).optional(),
    maxAttempts: count('counted attempts of a packet').optional(),
    lenses: lensesOf(
      z.union([z.enum(LENSES, { error: OWN_LENS_RULE }), ownLensWord], { error: OWN_LENS_RULE }),
    )
      .describe(
        'Points of view. A repository may set this: of the bundled ones only these are left',
      )
      .optional(),
    depth: z
      .enum(DEPTHS, { error: `it must be one of ${DEPTHS.join(', ')}` })
      .describe('How much an agent is asked (default standard)')
      .optional(),
    deepening: z
      .number({ error: SHARE_RULE })
      .min(0, { error: SHARE_RULE })
      .max(1, { error: SHARE_RULE })
      .describe(
        'Share of the plan that verifying findings and second looks may cost (default 0.25; 0: none)',
      )
      .optional(),
    narrative: yesOrNo('Whether an agent writes what the findings mean together').optional(),
    include: words(
      'Only these paths. A repository may set this: only what it names too is left',
      PATTERN_RULE,
    ).optional(),
    exclude: words('Not these paths. A repository may set this', PATTERN_RULE).optional(),
    failOn: gateSeverityRule()
      .describe('Exit 1 from this severity on. A repository may set this: the stricter one holds')
      .optional(),
    requireComplete: yesOrNo(
      'Exit 4 when anything asked for was not looked at. A repository may set this to true',
    ).optional(),
    wait: yesOrNo('Sleep through cooldowns').optional(),
    grace: duration('How long answers are waited for after a signal (default 5s)', 0).optional(),
    consent: z
      .array(z.string({ error: CONSENT_RULE }).regex(CONSENT_PATTERN, { error: CONSENT_RULE }), {
        error: CONSENT_RULE,
      })
      .describe(
        'What may be run: analyzers of this machine ("analyzers", "analyzers:ruff"), commands of the project ("commands", "commands:test")',
      )
      .optional(),
    ui: z
      .enum(['tty', 'plain'], { error: 'it must be tty or plain' })
      .describe('How progress is shown')
      .optional(),
    host: host.optional(),
  },
  { error: 'it must be an object of settings' },
);
export type Config = z.infer<typeof config>;

function gateSeverityRule() {
  const { options } = gateSeverity;
  return z.enum(options, { error: `it must be one of ${[...SEVERITIES, 'none'].join(', ')}` });
}

/** Keys of the user's file, in the order in which they are shown. */
export type ConfigKey = Exclude<keyof Config, '$schema'>;
export const CONFIG_KEYS = Object.keys(config.shape).filter(
  (key): key is ConfigKey => key !== '$schema',
);

/** The flag of a key: what a message can tell to use instead of a file. */
export const flagOf = (key: ConfigKey): string =>
  key === 'host'
    ? '--host-can-dispatch-subagents and the like'
    : `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * A pattern from the repository is matched against paths from the repository: two of them could be
 * made so that matching takes for ever. What a person writes has far fewer stars.
 */
const isTame = (pattern: string): boolean =>
  pattern.length <= 200 &&
  pattern.split('/').filter((part) => part.includes('**')).length <= 2 &&
  pattern.split('/').every((part) => part.replaceAll(/\*+/g, '*').split('*').length <= 4);

const TAME_RULE = `${PATTERN_RULE}; up to 200 characters, three * in a part and two ** in all`;
const tamePatterns = z
  .array(
    z.string({ error: PATTERN_RULE }).regex(/\S/, { error: PATTERN_RULE }).refine(isTame, {
      error: TAME_RULE,
    }),
    { error: PATTERN_RULE },
  )
  .max(1000, { error: 'it must be at most 1000 patterns' });

/** What the audited repository may say of its own audit: less of it, and stricter. */
export const repositoryConfig = config
  .pick({ $schema: true, failOn: true, requireComplete: true })
  .extend({
    lenses: lensesOf(z.enum(LENSES, { error: LENS_RULE })).optional(),
    include: tamePatterns.optional(),
    exclude: tamePatterns.optional(),
  })
  .strict();
export type RepositoryConfig = z.infer<typeof repositoryConfig>;

/** Where a setting of an audit came from. */
export const settingSource = z.enum(['flag', 'session-config', 'user', 'repository', 'default']);
export type SettingSource = z.infer<typeof settingSource>;

/** For each setting who said it, and after that who narrowed it. */
export const settingSources = z.strictObject(
  Object.fromEntries(CONFIG_KEYS.map((key) => [key, z.array(settingSource).optional()])) as Record<
    ConfigKey,
    z.ZodOptional<z.ZodArray<typeof settingSource>>
  >,
);
export type SettingSources = Readonly<z.infer<typeof settingSources>>;

/** The question as the repository narrowed it: recorded, and compared when an audit goes on. */
export const narrowing = z.strictObject({
  /** A path must match one of these too; none: all may be looked at. */
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  lenses: z.array(bundledLens).optional(),
});
export type Narrowing = Readonly<z.infer<typeof narrowing>>;
