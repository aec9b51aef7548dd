import { expect, test } from 'vitest';
import { z } from 'zod';
import { FINDINGS_CONTRACT } from '../../src/domain/findings-file.ts';
import { synthesis } from '../../src/domain/synthesis.ts';
import { findingsJson } from '../../src/reporters/findings-json.ts';
import { reported, reportInput } from '../helpers/finding-samples.ts';

const documentOf = (text: string) => z.record(z.string(), z.unknown()).parse(JSON.parse(text));

test('findings.json says what was found, what was not looked at and where it comes from (W84)', () => {
  const skipped = [
    { by: 'disposition' as const, reason: 'binary', lenses: [], files: ['logo.png'] },
  ];
  const coverage = { ...reportInput().synthesis.coverage, skipped };
  const input = reportInput({ findings: [reported(1)], coverage });
  const written = documentOf(findingsJson(input));
  expect(written).toMatchObject({
    contract: FINDINGS_CONTRACT,
    audit: input.audit,
    commit: 'c0ffee',
    tool: { name: 'casefile', version: '0.1.0' },
    how: 'full',
    reasons: [],
    skipped,
    notReviewed: [],
    summary: { total: 1, bySeverity: { medium: 1 } },
    lastSeq: input.position.seq,
    lastHash: input.position.hash,
  });
  expect(synthesis.shape.findings.parse(written['findings'])).toEqual(input.synthesis.findings);
});

test('of an audit that goes on it does not say how it ended', () => {
  const { how: _, ...running } = reportInput();
  expect(documentOf(findingsJson(running))).not.toHaveProperty('how');
});

test('file names that are not UTF-8 survive it', () => {
  const path = 'src/\udcff.js';
  const text = findingsJson(reportInput({ findings: [reported(1, { place: { path, line: 1 } })] }));
  const bytes = new TextEncoder().encode(text);
  const written = documentOf(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  expect(written).toMatchObject({ findings: [{ place: { path } }] });
});
