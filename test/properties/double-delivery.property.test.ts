import fc from 'fast-check';
import { expect, test } from 'vitest';
import { execute } from '../../src/decider/execute.ts';
import { copyState, plainState, type AuditState } from '../../src/decider/state.ts';
import { canonicalJson } from '../../src/std/canonical-json.ts';
import type { CommandType } from '../../src/domain/commands.ts';
import { play, script } from '../helpers/history.ts';

const textOf = (state: AuditState): string => canonicalJson(plainState(state));

/** What the world reports, and may report again after a crash or a lost reply. */
const REPORTS: ReadonlySet<CommandType> = new Set([
  'ReportDerived',
  'ReportStageFailed',
  'ReportDrift',
  'ReportAttempt',
  'ReportJudged',
  'ReceiveInput',
  'ReportInput',
  'OpenAudit',
  'OpenWriter',
]);

test('what is reported twice is taken once', () => {
  fc.assert(
    fc.property(script(), (plan) => {
      play(plan, (state, command) => {
        if (!REPORTS.has(command.type)) return;
        const copy = copyState(state);
        const before = textOf(copy);
        const again = execute(copy, command);
        expect(again.kind).toBe('rejected');
        expect(textOf(copy)).toBe(before);
      });
    }),
    { numRuns: 300 },
  );
});
