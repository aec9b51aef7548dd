import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inert, inertBlock, inertCode } from '../../src/reporters/inert-markdown.ts';

const ticks = fc.array(fc.constantFrom('`', '``', '```', 'a', ' ', '\n'), { minLength: 1 });

test('code in a sentence is fenced by more backticks than stand in it, on one line', () => {
  fc.assert(
    fc.property(ticks, (parts) => {
      const [, fence = '', inside = ''] =
        /^(`+)([\s\S]*[^`])\1$/.exec(inertCode(parts.join(''))) ?? [];
      expect(fence).not.toBe('');
      expect(inside).not.toContain('\n');
      for (const run of inside.match(/`+/g) ?? []) expect(run).not.toHaveLength(fence.length);
    }),
  );
});

test('a block of source cannot end its fence', () => {
  fc.assert(
    fc.property(ticks, (parts) => {
      const lines = inertBlock(parts.join('')).split('\n');
      const fence = lines.at(-1) ?? '';
      expect(fence).toMatch(/^`{3,}$/);
      for (const line of lines.slice(1, -1)) expect(line).not.toContain(fence);
    }),
  );
});

test.each([
  ['# heading', '\\# heading'],
  ['- item', '\\- item'],
  ['12. item', '12\\. item'],
  ['a <b>c</b>', 'a \\<b\\>c\\</b\\>'],
  ['[x](http://e.example)', '\\[x\\](http\\://e.example)'],
  ['_www.e.example', '\\_www\\.e.example'],
  ['&lt;b&gt; && c', '\\&lt;b\\&gt; && c'],
  ['ask @maintainer_1', 'ask `@maintainer_1`'],
  ['- a.b@c.example sent *it*', '\\- `a.b@c.example` sent \\*it\\*'],
  ['two\n\nlines', 'two lines'],
  ['plain text, 1.5 times.', 'plain text, 1.5 times.'],
])('"%s" is shown as it is written', (text, shown) => {
  expect(inert(text)).toBe(shown);
});
