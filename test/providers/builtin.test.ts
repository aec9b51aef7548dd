import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer } from '../../src/domain/answer.ts';
import type { Lead } from '../../src/domain/finding.ts';
import type { PacketBrief } from '../../src/domain/packet-brief.ts';
import { LENSES, SEVERITIES, type Lens } from '../../src/domain/vocabulary.ts';
import { judgeAnswer } from '../../src/pipeline/judge-answer.ts';
import { answerFrom, createBuiltinProvider } from '../../src/providers/builtin.ts';

const SOURCES: Readonly<Record<string, string>> = {
  'a.js': 'first();\nsecond();\neval(third);\n',
  'b.js': 'only();\n',
};

const lines = Object.entries(SOURCES).flatMap(([path, text]) =>
  text
    .trimEnd()
    .split('\n')
    .map((quote, index) => ({ path, line: index + 1, quote })),
);

const lead: fc.Arbitrary<Lead> = fc
  .record({
    at: fc.constantFrom(...lines),
    rule: fc.constantFrom('eslint/no-eval', 'secretlint/slack'),
    lens: fc.constantFrom<Lens>('security', 'correctness'),
    severity: fc.constantFrom(...SEVERITIES),
    message: fc.string({ minLength: 1, maxLength: 400 }).map((text) => `Says ${text}`),
  })
  .map(({ at, ...rest }) => ({
    ...rest,
    analyzer: 'oxlint',
    confidence: 'medium',
    place: { path: at.path, line: at.line },
    quote: at.quote,
  }));

const brief = (
  ...tasks: readonly (readonly [id: string, lens: Lens, path: string])[]
): PacketBrief => ({
  contract: 'casefile/packet/v1',
  answerVersion: 1,
  packet: 'p-0000000000000001',
  promptDigest: '0'.repeat(64),
  tasks: tasks.map(([id, lens, path]) => ({
    id,
    kind: 'review',
    lens,
    unit: '.',
    files: [{ path, lines: 3, digest: '0'.repeat(64) }],
  })),
});

const PACKET = brief(
  ['t-0000000000000001', 'security', 'a.js'],
  ['t-0000000000000002', 'correctness', 'a.js'],
  ['t-0000000000000003', 'security', 'b.js'],
);

describe('the answer of the builtin provider', () => {
  test('passes the same judgement as any other, each finding anchored, whatever the leads are', () => {
    fc.assert(
      fc.property(fc.array(lead), (leads) => {
        const given = answerFrom(PACKET, leads);
        expect(answer.parse(given)).toEqual(given);
        const judged = judgeAnswer({
          bytes: new TextEncoder().encode(JSON.stringify(given)),
          brief: PACKET,
          settled: new Set(),
          provider: 'builtin',
          read: (path) => SOURCES[path],
        });
        expect(judged.map(({ kind }) => kind)).toEqual(['accepted', 'accepted', 'accepted']);
        for (const task of judged) {
          if (task.kind !== 'accepted') continue;
          expect(task.result.findings.every(({ anchored }) => anchored)).toBe(true);
        }
      }),
    );
  });

  test('has each lead in exactly the task that asks for its lens and file', () => {
    fc.assert(
      fc.property(fc.array(lead, { maxLength: 20 }), (leads) => {
        for (const [index, task] of answerFrom(PACKET, leads).results.entries()) {
          const asked = PACKET.tasks[index];
          const wanted = leads.filter(
            ({ lens, place }) => lens === asked?.lens && place.path === asked.files[0]?.path,
          );
          expect(task.verdict).toBe(wanted.length === 0 ? 'clean' : 'findings');
          if (task.verdict === 'findings') expect(task.findings).toHaveLength(wanted.length);
        }
      }),
    );
  });

  test('says how many did not fit, and keeps the worst', () => {
    const [first] = fc.sample(lead, 1);
    const many = Array.from({ length: 700 }, (_, index): Lead => ({
      ...(first as Lead),
      lens: 'security',
      place: { path: 'b.js', line: 1 },
      quote: 'only();',
      severity: index === 699 ? 'high' : 'low',
    }));
    const given = answerFrom(brief(['t-0000000000000001', 'security', 'b.js']), many);
    expect(answer.safeParse(given).success).toBe(true);
    const [task] = given.results;
    if (task?.verdict !== 'findings') throw new Error('there are findings');
    expect(task.findings[0]?.severity).toBe('high');
    expect(task.findings.at(-1)?.explanation).toContain('200 more');
  });
});

describe('what it covers', () => {
  const { covers, lenses } = createBuiltinProvider();
  const coveredFor = (language: string): readonly Lens[] =>
    LENSES.filter((lens) => covers({ language }, lens));

  test('secrets in every text file; what a linter knows in JavaScript and TypeScript alone', () => {
    expect(coveredFor('Markdown')).toEqual(['security']);
    expect(coveredFor('Go')).toEqual(['security']);
    expect(coveredFor('TypeScript')).toEqual(['security', 'correctness', 'maintainability']);
    expect([...lenses].toSorted()).toEqual([...coveredFor('JavaScript')].toSorted());
  });
});
