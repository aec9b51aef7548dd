import { z } from 'zod';
import { lensOfEslint } from './lens-of-rule.ts';
import { readItems } from './read-items.ts';
import type { ReportedItem, ToolRun } from './tool-run.ts';

/** What ESLint's formatter `json` writes: a list of files, each with its messages. */
export const readEslint = (value: readonly unknown[]): readonly ToolRun[] => {
  const { items, leftOut } = readItems(value, file, '', ({ filePath, messages, suppressed }) => {
    const taken = messages.map((message) => itemOf(filePath, message));
    return taken.length === 0 && suppressed > 0 ? 'all that is said of it is suppressed' : taken;
  });
  return [{ tool: 'eslint', items, leftOut }];
};

const message = z.looseObject({
  ruleId: z.string().nullish(),
  severity: z.number(),
  message: z.string().min(1),
  line: z.int().positive().optional().catch(undefined),
  endLine: z.int().positive().optional().catch(undefined),
  fatal: z.boolean().optional(),
});
type Message = z.infer<typeof message>;

const file = z
  .looseObject({
    filePath: z.string().min(1),
    messages: z.array(message),
    suppressedMessages: z.array(z.unknown()).optional().catch(undefined),
  })
  .transform(({ filePath, messages, suppressedMessages = [] }) => ({
    filePath,
    messages,
    suppressed: suppressedMessages.length,
  }));

/** 2 is a rule that its users call an error, 1 a warning; without a rule, the file does not parse. */
const itemOf = (path: string, { ruleId, severity, ...said }: Message): ReportedItem => {
  const isError = severity >= 2;
  const rule = ruleId ?? (said.fatal === true ? 'syntax-error' : 'no-rule');
  const lens =
    ruleId === undefined || ruleId === null ? 'correctness' : lensOfEslint(rule, isError);
  return {
    rule,
    lens,
    severity: severity < 1 ? 'info' : isError ? 'medium' : 'low',
    confidence: 'medium',
    message: said.message,
    place: { path, line: said.line, endLine: said.endLine },
  };
};
