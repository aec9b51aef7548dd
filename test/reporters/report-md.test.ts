import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportMarkdown } from '../../src/reporters/report-md.ts';
import { settings } from '../helpers/samples.ts';
import { reported, reportInput } from '../helpers/finding-samples.ts';

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
    expect(reportMarkdown(reportInput()).split('\n').length).toBeLessThan(45);
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

  test('quotes the source of a finding and names its place', () => {
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
    activeLines(text).map((line) => line.replace(/^(#+|- |\|).*/, '$1'));
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
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
  );

  test('changes nothing of its structure and has no raw HTML or control character', () => {
    const plain = reportMarkdown(
      reportInput({ findings: [reported(1, { suggestion: 'Do it.' })] }),
    );
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, quote, path) => {
        const text = reportMarkdown(
          reportInput(
            {
              findings: [
                reported(1, {
                  title: `T${title}`,
                  category: path,
                  explanation: `E${title}`,
                  suggestion: `S${quote}`,
                  quote,
                  place: { path, line: 1 },
                }),
              ],
            },
            { root: { name: `n${path}`, inventory: 'git', commit: 'c0ffee' } },
          ),
        );
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(shape(text)).toEqual(shape(plain));
        const outside = text
          .replace(/(`{3,})text\n[\s\S]*?\n\1/g, '')
          .replace(/(`+)[^\n]*?\1/g, '');
        expect(outside).not.toMatch(/(?<!\\)<[a-z/!]/i);
      }),
      { numRuns: 200 },
    );
  });
});
