import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answer } from '../../src/domain/answer.ts';
import { config } from '../../src/domain/config.ts';
import { findingsFile } from '../../src/domain/findings-file.ts';
import { logLine } from '../../src/domain/log-line.ts';
import { ingestOutput } from '../../src/domain/ingest-output.ts';
import { nextStep } from '../../src/domain/next-step.ts';
import { packetBrief } from '../../src/domain/packet-brief.ts';
import { planOutput } from '../../src/domain/plan-output.ts';
import { runOutput } from '../../src/domain/run-output.ts';
import { auditStatus } from '../../src/domain/status.ts';
import { initialState } from '../../src/decider/state.ts';
import { statusOf } from '../../src/decider/status.ts';
import { evolve } from '../../src/decider/evolve.ts';
import { findingsJson } from '../../src/reporters/findings-json.ts';
import { runJson } from '../../src/cli/run-result.ts';
import { reported, reportInput } from '../helpers/finding-samples.ts';
import { expectGoldenFile } from '../helpers/golden.ts';
import { planned } from '../helpers/samples.ts';
import { completed } from '../helpers/whole-audit.ts';
import { PROJECT } from '../helpers/built-paths.ts';

/**
 * The shapes that other programs read, published as JSON Schema under `schemas/`. They are made of
 * the very schemas that the code checks by; `npm run golden` writes them anew.
 */
const PUBLISHED = {
  'log-line': [logLine, 'One line of an audit’s log (events/*.jsonl): one commit.'],
  findings: [findingsFile, 'report/findings.json: everything that an audit says.'],
  status: [auditStatus, 'What `casefile status --json` prints, and state.json holds.'],
  run: [runOutput, 'What `casefile run --json` prints.'],
  next: [nextStep, 'What `casefile next --json` prints.'],
  plan: [planOutput, 'What `casefile plan --json` prints.'],
  ingest: [ingestOutput, 'What `casefile ingest --json` prints.'],
  answer: [answer, 'What a worker writes to the answer file.'],
  config: [config, 'casefile.config.json, and the config.json of the user.'],
  packet: [packetBrief, 'What a worker is told about its packet (CASEFILE_PACKET).'],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

const published = (name: keyof typeof PUBLISHED): z.ZodType =>
  z.fromJSONSchema(
    JSON.parse(readFileSync(join(PROJECT, 'schemas', `${name}.schema.json`), 'utf8')),
  );

test.each(Object.entries(PUBLISHED))(
  'schemas/%s.schema.json is what the code checks by',
  (name, [schema, title]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema);
    const whole = { $schema, $id: `casefile:${name}`, title, ...rest };
    expectGoldenFile(`schemas/${name}.schema.json`, `${JSON.stringify(whole, undefined, 2)}\n`);
  },
);

test('nothing else is published', () => {
  expect(readdirSync(join(PROJECT, 'schemas')).toSorted()).toEqual(
    Object.keys(PUBLISHED)
      .map((name) => `${name}.schema.json`)
      .toSorted(),
  );
});

describe('what is written and printed fits its published schema', () => {
  const fold = (events: ReturnType<typeof completed>) => events.reduce(evolve, initialState());

  test('every line of the golden log', () => {
    const folder = join(PROJECT, 'fixtures', 'logs', 'v1', 'events');
    const schema = published('log-line');
    const lines = readdirSync(folder).flatMap((name) =>
      readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
    );
    expect(lines.length).toBeGreaterThan(50);
    for (const line of lines)
      expect(schema.safeParse(JSON.parse(line))).toMatchObject({ success: true });
    const [first = ''] = lines;
    const spoilt = JSON.parse(first.replace('"AuditOpened"', '"AuditClosed"')) as unknown;
    expect(schema.safeParse(spoilt).success).toBe(false);
  });

  test('findings.json', () => {
    const text = findingsJson(reportInput({ findings: [reported(1), reported(2)] }));
    expect(published('findings').parse(JSON.parse(text))).toEqual(JSON.parse(text));
    expect(findingsFile.parse(JSON.parse(text))).toEqual(JSON.parse(text));
  });

  test('status --json', () => {
    for (const events of [planned([[1], [2]]), completed()]) {
      const status: unknown = JSON.parse(JSON.stringify(statusOf(fold(events))));
      expect(published('status').parse(status)).toEqual(status);
    }
  });

  test('run --json', () => {
    for (const events of [planned([[1], [2]]), completed()]) {
      const { spend, synthesis, position } = reportInput();
      const printed: unknown = JSON.parse(
        JSON.stringify(
          runJson({
            place: { root: '/audited', stateDirectory: '/audited/.casefile' },
            files: {} as never,
            state: fold(events),
            end: { kind: 'complete' },
            report: { markdown: '', json: '', synthesis, analyzers: [], overGate: 0 },
            paths: { markdown: '/audited/.casefile/r.md', json: '/audited/.casefile/f.json' },
            lastSeq: position.seq,
            lastHash: position.hash,
            spend,
            exit: {
              code: 0,
              reason: 'complete',
              reasons: [{ reason: 'complete', message: 'Complete.' }],
            },
          }),
        ),
      );
      expect(published('run').parse(printed)).toEqual(printed);
    }
  });

  test('an answer, and no empty one', () => {
    const clean = { packet: 'p-1', results: [{ task: 't-1', verdict: 'clean' }] };
    expect(published('answer').parse(clean)).toEqual(clean);
    expect(published('answer').safeParse({ packet: 'p-1', results: [] }).success).toBe(false);
    expect(
      published('answer').safeParse({ packet: 'p-1', results: [{ task: 't-1' }] }).success,
    ).toBe(false);
  });
});
