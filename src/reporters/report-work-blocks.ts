import type { WorkBlock } from '../domain/synthesis.ts';
import { counted } from '../std/counted.ts';
import { inert, inertCode } from './inert-markdown.ts';
import type { ReportLayout } from './report-layout.ts';
import { capital, filesOf } from './report-words.ts';

/** What people can take one by one, in the order in which to take it. */
export const workBlocksPart = (
  blocks: readonly WorkBlock[],
  layout: ReportLayout,
): readonly string[] => {
  if (blocks.length === 0) return [];
  const places = new Map(blocks.map(({ id }, index) => [id, index + 1]));
  const shown = blocks.slice(0, BLOCKS_MAX).map((block, index) => {
    const { dependsOn, owners = [] } = block;
    const after = dependsOn.slice(0, AFTER_MAX).flatMap((id) => places.get(id) ?? []);
    const numbers = block.findings.flatMap((id) => layout.numbers.get(id) ?? []);
    const more = [
      `${numbers.length === 1 ? 'finding' : 'findings'} ${ranges(numbers)}`,
      filesOf(block.files),
      ...(owners.length === 0 ? [] : [`owned by ${inert(owners.join(', '), 200)}`]),
      ...(after.length === 0
        ? []
        : [`after ${after.length === 1 ? 'block' : 'blocks'} ${after.join(', ')}, which it needs`]),
    ];
    return [
      `${index + 1}. **${inert(block.title, 160)}** · ${block.maxSeverity} · ${block.size} · ${inertCode(block.id)}`,
      `   ${block.why} ${capital(more.join('; '))}.`,
    ].join('  \n');
  });
  const left = blocks.length - shown.length;
  return [
    [
      '## Work blocks',
      'Each can be taken by itself, in this order. Every finding that was not refuted is in exactly one.',
      shown.join('\n'),
      ...(left === 0 ? [] : [`and ${counted(left, 'more block')} in findings.json.`]),
    ].join('\n\n'),
  ];
};

const BLOCKS_MAX = 40;
const AFTER_MAX = 8;

/** "1, 4 to 6, 9". */
const ranges = (numbers: readonly number[]): string => {
  const runs: { from: number; to: number }[] = [];
  for (const number of numbers.toSorted((left, right) => left - right)) {
    const last = runs.at(-1);
    if (last?.to === number - 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs
    .map(({ from, to }) => {
      if (to - from > 1) return `${from} to ${to}`;
      return to === from ? `${from}` : `${from}, ${to}`;
    })
    .join(', ');
};
