import { z } from 'zod';
import { shown } from '../std/shown.ts';
import { printable } from '../std/printable.ts';
import { issuePath } from './schema-issue.ts';

/** One thing that is wrong with a `session-config.json` of the predecessor. */
export type SessionConfigIssue = {
  readonly severity: 'error';
  /** `claude_code.extra_args[1]`; `session_config` for the document itself. */
  readonly path: string;
  /** One printable sentence that names path, value and rule. */
  readonly message: string;
};

/**
 * What is wrong with a `session-config.json` of the predecessor, in the order of its rules and at most
 * one issue a path. A file that is not there (undefined) has no issues. Fields that the predecessor
 * never looked at, and keys that nobody knows, are taken as they are.
 */
export const validateSessionConfig = (value: unknown): readonly SessionConfigIssue[] => {
  const read = readSessionConfig(value);
  return read.kind === 'refused' ? read.issues : [];
};

export type ReadSessionConfig =
  | { readonly kind: 'ok'; readonly value: SessionConfig }
  | { readonly kind: 'refused'; readonly issues: readonly SessionConfigIssue[] };

/** The same, with the typed content. A file that is not there is an empty one. */
export const readSessionConfig = (value: unknown): ReadSessionConfig => {
  const given = value === undefined ? {} : value;
  const parsed = schemaFor(templateAskedBy(given)).safeParse(given, { reportInput: true });
  if (parsed.success) return { kind: 'ok', value: parsed.data };
  const issues = new Map<string, SessionConfigIssue>();
  for (const issue of parsed.error.issues) {
    const path = issuePath(issue.path) || 'session_config';
    if (issues.has(path)) continue;
    const message = `${printable(path, 200)} ${issue.message}, not ${shown(issue.input)}.`;
    issues.set(path, { severity: 'error', path, message });
  }
  return { kind: 'refused', issues: [...issues.values()] };
};

const PROVIDERS = [
  'auto',
  'local-subprocess',
  'subprocess-template',
  'claude-code',
  'opencode',
  'vscode-task',
] as const;

/** The section that must be there, because the provider that is named runs by it. */
type Template = 'subprocess_template' | 'vscode_task';

const templateAskedBy = (value: unknown): Template | undefined => {
  const asking = z.looseObject({ provider: z.string() }).safeParse(value);
  if (asking.data?.provider === 'subprocess-template') return 'subprocess_template';
  if (asking.data?.provider === 'vscode-task') return 'vscode_task';
  return undefined;
};

const flag = z.boolean({ error: 'must be true or false' });
const text = z
  .string({ error: 'must be a text that is not blank' })
  .refine((value) => value.trim() !== '', { error: 'must be a text that is not blank' });

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

const section = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape, { error: 'must be an object' });

const milliseconds = z
  .number({ error: 'must be a whole number above 0' })
  .refine((value) => Number.isInteger(value) && value > 0, {
    error: 'must be a whole number above 0',
  });

/** Characters that a shell would act on. */
const ACTING = /[\r\n"'`|&;<>]/;

/** A bare name, or a path that begins like one: `./x`, `/x`, `\\host\x`, `C:\x`, `C:/x`. */
const isCommand = (value: string): boolean => {
  if (value === '' || value !== value.trim() || ACTING.test(value)) return false;
  if (/^(?:\.|\/|\\\\|[A-Za-z]:[\\/])/.test(value)) return true;
  return !/[\s\\/]|^[A-Za-z]:/.test(value);
};
const COMMAND_RULE = 'must be the name of a program or a path to one, without arguments';
const command = z.string({ error: COMMAND_RULE }).refine(isCommand, { error: COMMAND_RULE });

const commandTemplate = z
  .array(text, { error: 'must be a list that is not empty' })
  .min(1, { error: 'must be a list that is not empty' });
const environment = z.record(z.string(), z.string({ error: 'must be a text' }), {
  error: 'must be an object',
});
const template = section({
  command_template: commandTemplate.optional(),
  env: environment.optional(),
});
const neededTemplate = section({ command_template: commandTemplate, env: environment.optional() });

const program = {
  command: command.optional(),
  extra_args: z.array(text, { error: 'must be a list' }).optional(),
};

/** The keys stand in the order of the rules: that is the order of the issues. */
const sessionConfig = section({
  provider: oneOf(PROVIDERS).optional(),
  timeout_ms: milliseconds.optional(),
  ui_mode: oneOf(['visible', 'headless']).optional(),
  host_can_dispatch_subagents: flag.optional(),
  subprocess_template: template.optional(),
  vscode_task: template.optional(),
  claude_code: section({ ...program, dangerously_skip_permissions: flag.optional() }).optional(),
  opencode: section(program).optional(),
  synthesis: section({ narrative: flag.optional() }).optional(),
  analyzers: z
    .record(z.string(), oneOf(['repo', 'ephemeral', 'permanent', 'skip', 'auto']), {
      error: 'must be an object',
    })
    .optional(),
});

/** A `session-config.json` that holds. Fields that no rule looks at are unknown. */
export type SessionConfig = z.infer<typeof sessionConfig>;

const needing: Readonly<Record<Template, z.ZodType<SessionConfig>>> = {
  subprocess_template: sessionConfig.extend({ subprocess_template: neededTemplate }),
  vscode_task: sessionConfig.extend({ vscode_task: neededTemplate }),
};

const schemaFor = (needed: Template | undefined): z.ZodType<SessionConfig> =>
  needed === undefined ? sessionConfig : needing[needed];
