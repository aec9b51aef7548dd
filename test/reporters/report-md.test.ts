import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportMarkdown } from '../../src/reporters/report-md.ts';
import { mergeFindings } from '../../src/pipeline/merge-findings.ts';
import { deriveWorkBlocks } from '../../src/pipeline/work-blocks.ts';
import { required } from '../../src/std/assert.ts';
import { settings } from '../helpers/samples.ts';
import {
  finding,
  findingIdOf,
  reported,
  reportInput,
  resultOf,
} from '../helpers/finding-samples.ts';

const coverageOf = (fields: Partial<ReturnType<typeof coverage>> = {}) => ({
  ...coverage(),
  ...fields,
});
const coverage = () => reportInput().synthesis.coverage;

describe('the report', () => {
  test('says at once that only analyzers have looked', () => {
    const [beginning] = reportMarkdown(reportInput()).split('## What was reviewed');
    expect(beginning).toContain('**Analyzers only**: 3 of 3 files');
  });

  test('is short where there is nothing to say', () => {
    expect(reportMarkdown(reportInput()).split('\n').length).toBeLessThan(50);
  });

  test('does not call an audit clean in which nothing was reviewed', () => {
    const counts = { reviewed: 0, analyzersOnly: 0, failed: 0, notReviewed: 3, skipped: 0 };
    const gaps = [
      { state: 'notReviewed' as const, reason: 'the budget was spent', lenses: [], files: ['a'] },
    ];
    const files = { total: 3, looked: 0, unreadable: ['z.js'] };
    const { how: _, ...running } = reportInput(
      { coverage: coverageOf({ counts, gaps, files }) },
      { state: 'blocked', reasons: ['the budget is spent'] },
    );
    const text = reportMarkdown(running);
    expect(text).toContain('**Nothing was reviewed.**');
    expect(text).toContain('**Not complete**');
    expect(text).toContain('- The budget is spent.');
    expect(text).toContain('Could not be read: 1 file: `z.js`');
    expect(text).toContain('The budget was spent. 1 file: `a`');
  });

  test('quotes the source of a finding and names its place (W85)', () => {
    const text = reportMarkdown(reportInput({ findings: [reported(1, { severity: 'high' })] }));
    expect(text).toContain('### High (1)');
    expect(text).toContain('`src/f1.js:7`');
    expect(text).toContain('```text\n7 | for (let i = 0; i < items.length - 1; i += 1)\n```');
  });

  test('keeps apart what was not found in the source and what was refuted', () => {
    const text = reportMarkdown(
      reportInput({
        findings: [
          reported(1, { severity: 'high', anchored: false }),
          reported(2, { verdict: 'refuted' }),
        ],
      }),
    );
    expect(text).not.toContain('### High');
    expect(text).toContain('### Not found in the source (1)');
    expect(text).toContain('### Refuted by a second pass (1)');
  });

  test('tells many findings of one kind once, and leaves none out without saying so', () => {
    const findings = Array.from({ length: 200 }, (_, index) => reported(index));
    const text = reportMarkdown(reportInput({ findings }));
    expect(text).toContain('197 more findings of `off-by-one`');
    expect(text).toContain('- and 147 more in findings.json');
    expect(text.split('\n').length).toBeLessThan(180);
  });

  test('says when cost is unknown instead of zero', () => {
    const spend = {
      attempts: { started: 2, ended: 2, counted: 0, limited: 0, cancelled: 0 },
      tokens: { input: 900, output: 80, unknown: 1 },
      costUsd: { sum: 0, unknown: 2 },
    };
    const text = reportMarkdown(reportInput({}, { settings: settings(), spend }));
    expect(text).toContain('900 input and 80 output tokens (1 attempt did not say), cost unknown');
  });

  test('tells in this order what was asked, the answer, the review, its gaps, findings, work and making', () => {
    const findings = [1, 2, 3, 4].map((number) => reported(number));
    const input = reportInput({ findings, workBlocks: deriveWorkBlocks(findings) });
    const titles = reportMarkdown(input).match(/^#{1,2} .*/gm);
    expect(titles).toEqual([
      '# Audit of shop',
      '## What was asked',
      '## The answer',
      '## What was reviewed, and how',
      '## What was not reviewed, and why',
      '## Findings',
      '## Work blocks',
      '## How this report was made',
    ]);
  });

  test('counts in its headline only what stands, and says what it left out', () => {
    const text = reportMarkdown(
      reportInput({
        findings: [
          reported(1, { severity: 'high', anchored: false }),
          reported(2, { severity: 'high', verdict: 'refuted' }),
          reported(3, { severity: 'low' }),
        ],
      }),
    );
    expect(text).toContain('**1 finding**: 1 low.');
    expect(text).toContain('Not counted: 1 statement whose quoted source is not in the file.');
    expect(text).toContain('Not counted: 1 finding that a second pass refuted.');
  });

  test('tells of a finding the way of the data, who says so and in what words, and the second pass (W84)', () => {
    const [one] = mergeFindings(
      [
        resultOf('t-1', finding(1, { severity: 'high', category: 'sql-injection' })),
        resultOf(
          't-2',
          finding(1, { id: findingIdOf(9), category: 'SQLi', title: 'A query of input' }),
        ),
      ],
      new Map([[findingIdOf(1), { verdict: 'downgraded' as const, severity: 'low' as const }]]),
    );
    const found = {
      ...required(one, 'two statements make a finding'),
      trace: [
        { place: { path: 'src/a.js', line: 2 }, says: 'argv is read' },
        { place: { path: 'src/f1.js', line: 7 }, says: 'a query is made' },
      ],
    };
    const text = reportMarkdown(reportInput({ findings: [found] }));
    expect(text).toContain('1. `src/a.js:2` argv is read\n2. `src/f1.js:7` a query is made');
    expect(text).toContain('**Who says so:** scripted (correctness)');
    expect(text).toContain('**Also told as:** A query of input (medium, `SQLi`)');
    expect(text).toContain('**Second pass:** Downgraded, stated as high');
  });

  test('tells findings about the design, and what was measured and judged by nobody, apart', () => {
    const text = reportMarkdown(
      reportInput({
        findings: [reported(1, { design: true, severity: 'high' })],
        observations: [
          { rule: 'hub', statement: 'All import it.', paths: ['a.js'], evidence: [], figures: {} },
        ],
      }),
    );
    expect(text).not.toContain('### High');
    expect(text).toContain('### About the design (1)');
    expect(text).toContain('- `hub`: All import it. 1 file: `a.js`');
  });

  test('has room for the words of a reviewer, and names only findings that it has', () => {
    const narrative = {
      summary: 'One thing is wrong.',
      themes: [
        {
          title: 'Loops',
          rootCause: 'Bounds are computed by hand.',
          fix: 'Iterate.',
          findings: [findingIdOf(1), findingIdOf(77)],
        },
      ],
      topRisks: [{ title: 'Lost rows', why: 'The last is lost.', findings: [findingIdOf(1)] }],
    };
    const text = reportMarkdown(reportInput({ findings: [reported(1)] }, { narrative }));
    expect(text).toContain('- **Loops** (finding 1): Bounds are computed by hand.');
    expect(text.indexOf('One thing is wrong.')).toBeLessThan(text.indexOf('## What was reviewed'));
  });

  test('stays readable whatever is found: the details have an end, and what is left out is counted', () => {
    const findings = Array.from({ length: 3000 }, (_, index) =>
      reported(index, { category: `kind-${index % 1000}` }),
    );
    const text = reportMarkdown(reportInput({ findings, workBlocks: deriveWorkBlocks(findings) }));
    expect(text.match(/^#### /gm)).toHaveLength(100);
    expect(text.length).toBeLessThan(400_000);
    expect(text).toContain('more in findings.json');
    expect(text).toContain('more blocks in findings.json');
  });
});

describe('text of others in the report', () => {
  /** Lines that mean something to Markdown, outside of fenced blocks. */
  const activeLines = (text: string): readonly string[] => {
    let fence = '';
    return text.split('\n').filter((line) => {
      // A run of backticks with others after it on its line is code in a sentence, not a fence.
      const mark = /^(`{3,})[^`]*$/.exec(line)?.[1];
      if (mark !== undefined) {
        if (fence === '') fence = mark;
        else if (mark.length >= fence.length && line === mark) fence = '';
        return false;
      }
      return fence === '' && /^\s{0,3}(#|<|>|[-+*] |\d+[.)] |\||={3}|-{3})/.test(line);
    });
  };
  const shape = (text: string) =>
    activeLines(text).map((line) => line.replace(/^(#+|- |\||\d+\. ).*/, '$1'));
  const hostile = fc.oneof(
    fc.constantFrom(
      '# Audit of evil',
      '<script>alert(1)</script>',
      '![x](https://evil.example/x.png)',
      '```\n# out\n```',
      '````\n</details>',
      '- [ ] done\n- [x] more',
      '> quoted\n\n---\n\n1. list',
      '| a | b |\n| - | - |',
      'a\n===\nb',
      '\u001b[2J\u0007\u202E',
      '`unclosed',
      '\\`',
      '&lt;b&gt;',
      '@owner and a.b@c.example',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  );

  /** Everything that others can write, written by them. */
  const reportOf = (title: string, quote: string, path: string): string => {
    const place = { path, line: 1 };
    const findings = [1, 2, 3, 4, 5].map((number) =>
      reported(number, {
        title: `T${title}`,
        category: `${path}${number}`,
        explanation: `E${title}`,
        suggestion: `S${quote}`,
        quote,
        place,
        anchored: number !== 4,
        verdict: number === 5 ? 'refuted' : 'confirmed',
        trace: [
          { place, says: `W${title}` },
          { place, says: `X${quote}` },
        ],
        sources: ['T', 'O'].map((mark) => ({
          task: 't-1',
          lens: 'security' as const,
          provider: 'scripted' as const,
          severity: 'low' as const,
          confidence: 'low' as const,
          category: `C${quote}`,
          title: `${mark}${title}`,
        })),
        analyzers: [{ analyzer: `A${title}`, rule: `R${quote}` }],
        verifications: [
          {
            of: findingIdOf(number),
            verdict: 'confirmed',
            reason: `V${quote}`,
            evidence: { place, quote },
          },
        ],
        ...(number === 3 && { design: true }),
      }),
    );
    return reportMarkdown(
      reportInput(
        {
          findings,
          workBlocks: deriveWorkBlocks(findings).map((block) => ({
            ...block,
            owners: [`@${path}`],
          })),
          observations: [
            { rule: 'hub', statement: `Q${title}`, paths: [path], evidence: [], figures: {} },
          ],
        },
        {
          root: { name: `n${path}`, inventory: 'git', commit: 'c0ffee' },
          reasons: [`B${title}`],
          how: 'partial',
          narrative: {
            summary: `N${title}`,
            themes: [
              {
                title: `H${title}`,
                rootCause: `C${quote}`,
                fix: `F${quote}`,
                findings: [findingIdOf(1)],
              },
            ],
            topRisks: [{ title: `K${title}`, why: `Y${quote}`, findings: [findingIdOf(2)] }],
          },
        },
      ),
    );
  };

  test('changes nothing of its structure and has no raw HTML, mention or control character (W85)', () => {
    const plain = reportOf('title', 'quote', 'path.js');
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, quote, path) => {
        const text = reportOf(title, quote, path);
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(shape(text)).toEqual(shape(plain));
        const cells = activeLines(text).filter((line) => line.startsWith('| '));
        expect(cells.map(bars)).toEqual(
          activeLines(plain)
            .filter((line) => line.startsWith('| '))
            .map(bars),
        );
        const outside = text
          .replace(/(`{3,})text\n[\s\S]*?\n\1/g, '')
          // From the left, since an escaped backtick opens no code, and in code nothing is escaped.
          .replace(/\\[^\n]|(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '');
        expect(outside).not.toMatch(/<[a-z/!]|@\w/i);
      }),
      { numRuns: 200 },
    );
  });

  /** What ends a cell of a table, in code or not. */
  const bars = (line: string): number => line.match(/(?<!\\)\|/g)?.length ?? 0;
});
