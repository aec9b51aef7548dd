import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRuntimeUpdates } from '../../src/domain/runtime-updates.ts';
import { readAnalyzerReport } from '../../src/pipeline/analyzer-reports/read-report.ts';
import { validateAuditResults } from '../../src/pipeline/audit-results.ts';
import { findAnswers } from '../../src/pipeline/find-answers.ts';
import { judgeAnswer } from '../../src/pipeline/judge-answer.ts';
import { printable } from '../../src/std/printable.ts';
import { bent, junkBytes, junkJson, junkText, nearly } from '../helpers/arbitrary-junk.ts';
import { auditFinding, auditResult, assignedTasksOf } from '../helpers/audit-result-samples.ts';
import { brief, bytesOf, statedFinding } from '../helpers/review-samples.ts';

const PAY = 'function pay(account, amount) {\n  account.balance -= amount;\n}\n';
const FILES: Readonly<Record<string, string>> = { 'src/pay.js': PAY, 'src/empty.js': '' };
const BRIEF = brief(['security', 'correctness'], FILES);
const [FIRST, SECOND] = BRIEF.tasks;
if (FIRST === undefined || SECOND === undefined) throw new Error('the brief has two tasks');

const OWN = {
  packet: BRIEF.packet,
  results: [
    { task: FIRST.id, verdict: 'findings', findings: [statedFinding({ endLine: 3 })] },
    { task: SECOND.id, verdict: 'clean' },
  ],
};
const ARRAY = [
  auditResult(FIRST, { findings: [auditFinding(FIRST)] }),
  auditResult(SECOND, { verification: { performed: true, evidence: ['src/pay.js:1'] } }),
];
const ANALYZERS = {
  tool: 'lint',
  results: [{ path: 'src/pay.js', line: 1, rule: 'r', message: 'm', severity: 'high' }],
};

const answers: fc.Arbitrary<Uint8Array> = fc.oneof(
  junkBytes,
  junkJson.map((value) => bytesOf(JSON.stringify(value))),
  // A part that is a name, and stands in the refusal.
  junkText.map((packet) => bytesOf({ ...OWN, packet })),
  junkText.map((task) => bytesOf([{ ...ARRAY[0], task_id: task }])),
  ...[OWN, ARRAY, ANALYZERS].flatMap((whole) => [
    bent(whole).map((value) => bytesOf(value === undefined ? '' : JSON.stringify(value))),
    nearly(JSON.stringify(whole)),
  ]),
);

const RUNS = { seed: 1, numRuns: 3000 };
/** A sentence for people: it ends, and nothing in it acts on a terminal. */
const expectSentence = (message: string): void => {
  expect(printable(message)).toBe(message);
  expect(message.length).toBeLessThan(2000);
};

describe('whatever comes back for a packet', () => {
  test('gets a verdict for each of its tasks or one for the whole, in printable words', () => {
    const ids: readonly (string | undefined)[] = BRIEF.tasks.map(({ id }) => id);
    fc.assert(
      fc.property(answers, (bytes) => {
        const judged = judgeAnswer({
          bytes,
          brief: BRIEF,
          settled: new Set(),
          provider: 'command',
          read: (path) => FILES[path],
        });
        for (const one of judged) {
          if (one.task !== undefined) expect(ids).toContain(one.task);
          if (one.kind === 'rejected') expectSentence(one.message);
          else expect(one.result.verdict === 'clean').toBe(one.result.findings.length === 0);
        }
        const about = judged.flatMap(({ task }) => (task === undefined ? [] : [task]));
        expect(new Set(about).size).toBe(about.length);
        if (about.length < ids.length)
          expect(judged.some(({ task }) => task === undefined)).toBe(true);
      }),
      RUNS,
    );
  });

  test('is found to be about planned packets only, or refused in printable words', () => {
    fc.assert(
      fc.property(answers, fc.constantFrom(undefined, BRIEF.packet), (bytes, assigned) => {
        const found = findAnswers(
          bytes,
          {
            packetOf: (task) =>
              task === FIRST.id || task === SECOND.id ? BRIEF.packet : undefined,
            hasPacket: (packet) => packet === BRIEF.packet,
          },
          assigned,
        );
        expect([[], [BRIEF.packet]]).toContainEqual(found.packets);
        expect(found.packets.length + found.refused.length).toBeGreaterThan(0);
        for (const { message, packet } of found.refused) {
          expectSentence(message);
          if (packet !== undefined) expectSentence(packet);
        }
      }),
      RUNS,
    );
  });
});

test('an array of results of any shape has issues that name a place and a rule, and never throws', () => {
  const tasks = assignedTasksOf(BRIEF);
  fc.assert(
    fc.property(fc.oneof(junkJson, bent(ARRAY), fc.array(junkJson)), (payload) => {
      for (const issue of validateAuditResults(payload, tasks, new Map([['src/pay.js', 3]]))) {
        expect(issue.message).toMatch(/\S/);
        expect(issue.path).toMatch(/\S/);
      }
    }),
    RUNS,
  );
});

test('files of tools are read whole or refused in printable words, whatever they hold', () => {
  fc.assert(
    fc.property(answers, (bytes) => {
      for (const read of [readAnalyzerReport(bytes), parseRuntimeUpdates(bytes)]) {
        if (read.kind === 'refused') expectSentence(read.message);
      }
    }),
    RUNS,
  );
});
