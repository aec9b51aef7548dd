import { counted } from '../../std/counted.ts';
import type { Flow } from '../shape/flows.ts';
import type { Assessment } from './assessment.ts';

/**
 * `untested-flow`: an entrance that leads to accounts, money, other programs, kept data or files, and
 * no test is about any file of the way or reaches one of them over two imports. One for each file
 * with entrances. In a tree without any test that would be every flow; then it is said once, as
 * `no-tests`.
 */
export const assessUntestedFlows = (given: {
  readonly flows: readonly Flow[];
  readonly untested: ReadonlySet<string>;
  readonly hasTests: boolean;
}): readonly Assessment[] => {
  const telling = given.flows.filter(
    ({ sink, surface, confidence }) =>
      sink.kind !== 'network' && surface.kind !== 'api' && confidence >= CONFIDENCE_MIN,
  );
  if (!given.hasTests) return noTests(telling);
  const byEntrance = new Map<string, Flow[]>();
  for (const flow of telling) {
    if (!flow.path.every((path) => given.untested.has(path))) continue;
    const known = byEntrance.get(flow.surface.path);
    if (known === undefined) byEntrance.set(flow.surface.path, [flow]);
    else known.push(flow);
  }
  return [...byEntrance.values()].map((flows) => {
    const kinds = flows.map(({ sink }) => sink.kind);
    return {
      rule: 'untested-flow',
      statement: `An entrance (${flows[0]?.surface.kind}) leads to ${kinds.join(', ')}, and no test is near any file on the way.`,
      paths: [...new Set(flows.flatMap(({ path }) => path))],
      evidence: evidenceOf(flows),
      figures: {
        flows: flows.length,
        confidence: Math.max(...flows.map(({ confidence }) => confidence)),
      },
      strength: flows.reduce((sum, { confidence }) => sum + confidence, 0),
    };
  });
};

/** Below this the entrance, the way or the sink is a guess. */
const CONFIDENCE_MIN = 0.35;

const noTests = (flows: readonly Flow[]): readonly Assessment[] => {
  const [first] = flows;
  if (first === undefined) return [];
  return [
    {
      rule: 'no-tests',
      statement: `No test was found in the tree, which has ${counted(flows.length, 'flow')} from an entrance to something that matters.`,
      paths: [...new Set(flows.slice(0, 5).flatMap(({ path }) => path))],
      evidence: evidenceOf(flows.slice(0, 5)),
      figures: { flows: flows.length },
      strength: 1,
    },
  ];
};

const evidenceOf = (flows: readonly Flow[]): Assessment['evidence'] =>
  flows.slice(0, 5).flatMap(({ surface, sink }) => [
    { path: surface.path, line: surface.line, note: `entrance (${surface.kind}): ${surface.name}` },
    { path: sink.path, line: sink.line, note: `${sink.kind}: ${sink.name}` },
  ]);
