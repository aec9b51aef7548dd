import type { Finding, TaskResult } from '../../src/domain/finding.ts';
import type { FindingId } from '../../src/domain/ids.ts';
import type { ReportedFinding, Synthesis } from '../../src/domain/synthesis.ts';
import { mergeFindings } from '../../src/pipeline/merge-findings.ts';
import { createSpend } from '../../src/projections/spend.ts';
import type { ReportInput } from '../../src/reporters/report-input.ts';
import { sha256Hex } from '../../src/std/digest.ts';
import { AUDIT, blob, settings } from './samples.ts';

export const findingIdOf = (number: number): FindingId =>
  `f-${number.toString(16).padStart(16, '0')}` as FindingId;

export const finding = (number: number, fields: Partial<Finding> = {}): Finding => ({
  id: findingIdOf(number),
  lens: 'correctness',
  severity: 'medium',
  confidence: 'medium',
  category: 'off-by-one',
  title: `The loop ends too early (${number})`,
  explanation: 'The last element is never looked at.',
  place: { path: `src/f${number}.js`, line: 7 },
  quote: 'for (let i = 0; i < items.length - 1; i += 1)',
  anchored: true,
  provider: 'scripted',
  ...fields,
});

export const resultOf = (task: string, ...findings: readonly Finding[]): TaskResult => ({
  task,
  verdict: findings.length === 0 ? 'clean' : 'findings',
  findings: [...findings],
});

export const reported = (
  number: number,
  fields: Partial<ReportedFinding> = {},
): ReportedFinding => {
  const [one] = mergeFindings([resultOf('t-1', finding(number))], new Map());
  if (one === undefined) throw new Error('one statement makes one finding');
  return { ...one, ...fields };
};

/** A complete audit of three files by analyzers, all of them looked at. */
export const reportInput = (
  synthesis: Partial<Synthesis> = {},
  fields: Partial<ReportInput> = {},
): ReportInput => ({
  audit: AUDIT,
  root: { name: 'shop', inventory: 'git', commit: 'c0ffee' },
  inputDigest: blob('input').digest,
  tool: { name: 'casefile', version: '0.1.0' },
  settings: settings({ provider: 'builtin', reviewer: 'analyzers' }),
  state: 'complete',
  how: 'full',
  reasons: [],
  position: { seq: 42, hash: sha256Hex('line') },
  startedAt: '2026-11-30T10:14:00.123Z',
  endedAt: '2026-11-30T10:15:00.123Z',
  synthesis: {
    findings: [],
    workBlocks: [],
    observations: [],
    quarantined: [],
    coverage: {
      cells: 3,
      counts: { reviewed: 0, analyzersOnly: 3, failed: 0, notReviewed: 0, skipped: 0 },
      byLens: [
        {
          lens: 'correctness',
          reviewed: 0,
          analyzersOnly: 3,
          failed: 0,
          notReviewed: 0,
          skipped: 0,
        },
      ],
      files: { total: 3, looked: 3, unreadable: [] },
      skipped: [],
      gaps: [],
    },
    ...synthesis,
  },
  spend: createSpend(),
  inherited: [],
  analyzers: [{ name: 'oxlint', version: '1.94.0', files: 3, status: 'done' }],
  overGate: 0,
  ...fields,
});
