import type { Observation } from '../domain/synthesis.ts';
import { counted } from '../std/counted.ts';
import { inert, inertCode } from './inert-markdown.ts';
import { filesOf } from './report-words.ts';

/** What the shape of the code says by itself: figures for whoever wants to judge them. */
export const observationsPart = (observations: readonly Observation[]): readonly string[] => {
  if (observations.length === 0) return [];
  const rules = new Map<string, Observation[]>();
  for (const one of observations) {
    const known = rules.get(one.rule);
    if (known === undefined) rules.set(one.rule, [one]);
    else known.push(one);
  }
  const lines = [...rules].flatMap(([rule, all]) => {
    const shown = all.slice(0, PER_RULE_MAX);
    const left = all.length - shown.length;
    return [
      ...shown.map(
        (one) => `- ${inertCode(rule)}: ${inert(one.statement, 300)} ${filesOf(one.paths)}`,
      ),
      ...(left === 0
        ? []
        : [`- ${inertCode(rule)}: ${counted(left, 'more place')} in findings.json`]),
    ];
  });
  return [
    [
      '## Measured, and judged by nobody',
      'What the shape of the code says by itself. These are no findings: whether one of them is a defect, nobody has said.',
      lines.join('\n'),
    ].join('\n\n'),
  ];
};

const PER_RULE_MAX = 3;
