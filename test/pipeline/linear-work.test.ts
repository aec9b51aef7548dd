import { describe, expect, test } from 'vitest';
import { workOf } from '../helpers/counted-work.ts';
import { mixedTree, pythonTree } from '../../bench/mixed-tree.ts';
import { LENSES } from '../../src/domain/vocabulary.ts';
import { deriveCoverage } from '../../src/pipeline/coverage.ts';
import { taskId } from '../../src/domain/ids.ts';
import type { FileFacts } from '../../src/pipeline/file-facts.ts';
import { findAnswers } from '../../src/pipeline/find-answers.ts';
import { judgeAnswer } from '../../src/pipeline/judge-answer.ts';
import { deriveImportGraph } from '../../src/pipeline/import-graph.ts';
import { planReview, type PlanningInput } from '../../src/pipeline/planning.ts';
import { mergeFindings } from '../../src/pipeline/merge-findings.ts';
import { deriveWorkBlocks } from '../../src/pipeline/work-blocks.ts';
import { reportMarkdown } from '../../src/reporters/report-md.ts';
import type { Finding } from '../../src/domain/finding.ts';
import { cutIntoUnits } from '../../src/pipeline/units.ts';
import { finding, reported, reportInput, resultOf } from '../helpers/finding-samples.ts';
import { factsOf } from '../helpers/import-graph-of.ts';
import {
  brief,
  bytesOf,
  planningInput,
  sourceFile,
  statedFinding,
} from '../helpers/review-samples.ts';
import { taskIdOf } from '../helpers/samples.ts';

/**
 * Four times the input is four times the work, and a little more for sorting. The square of it would
 * be sixteen times.
 */
const FOURFOLD_MOST = 5;

type Tree = readonly (readonly [path: string, text: string])[];

const grows = async (small: () => unknown, large: () => unknown): Promise<number> => {
  // The first run compiles what it needs, and makes tables that are made once.
  await workOf(small);
  return (await workOf(large)) / (await workOf(small));
};

describe('four times the files are about four times the work', () => {
  test('where imports of Python modules lead (W28)', async () => {
    const [small, large] = [
      await factsOfTree(pythonTree(100, 11)),
      await factsOfTree(pythonTree(400, 11)),
    ];
    expect(large.size).toBeGreaterThan(3.9 * small.size);
    expect(await grows(graphOver(small), graphOver(large))).toBeLessThan(FOURFOLD_MOST);
  });

  test('where imports of all other languages lead (W28)', async () => {
    const [small, large] = [await factsOfTree(mixedTree(250)), await factsOfTree(mixedTree(1000))];
    expect(await grows(graphOver(small), graphOver(large))).toBeLessThan(FOURFOLD_MOST);
  });

  test('in units and packets, with edges between the files (W23, W59)', async () => {
    const [small, large] = [planOver(400), planOver(1600)];
    const ratio = await grows(
      () => planReview(small),
      () => planReview(large),
    );
    expect(ratio).toBeLessThan(FOURFOLD_MOST);
    const [few, many] = [pathsOf(400), pathsOf(1600)];
    const cut = (paths: readonly string[]) => () => cutIntoUnits(paths, new Set(['']));
    expect(await grows(cut(few), cut(many))).toBeLessThan(FOURFOLD_MOST);
  });

  test('in packets where every file needs one and the same (W59)', async () => {
    const [small, large] = [planOver(400, () => 0), planOver(1600, () => 0)];
    const ratio = await grows(
      () => planReview(small),
      () => planReview(large),
    );
    expect(ratio).toBeLessThan(FOURFOLD_MOST);
  });

  test('where handed-in results belong (W67)', async () => {
    const [small, large] = [handedIn(300), handedIn(1200)];
    expect(await grows(small, large)).toBeLessThan(FOURFOLD_MOST);
  });

  test('in joining statements, also when all are on one line, one in another, or one finding (W83)', async () => {
    const merge = (statements: readonly Finding[]) => () =>
      mergeFindings(
        statements.map((one, index) => resultOf(`t-${index}`, one)),
        new Map(),
      );
    const apart = (count: number): readonly Finding[] =>
      numbers(count).map((number) => finding(number));
    const onOneLine = (count: number): readonly Finding[] =>
      numbers(count).map((number) =>
        finding(number, { place: { path: 'a.js', line: 1 }, quote: `value${number}(${number});` }),
      );
    const nested = (count: number): readonly Finding[] =>
      numbers(count).map((number) =>
        finding(number, {
          place: { path: 'a.js', line: 1, endLine: 20 },
          quote: `${'x'.repeat(number % 100)}call(value)`,
          category: number % 2 === 0 ? 'sqli' : 'cwe-89',
        }),
      );
    const same = (count: number): readonly Finding[] =>
      numbers(count).map((number) => finding(1, { title: `Told in way ${number}` }));
    for (const statements of [apart, onOneLine, nested, same]) {
      const ratio = await grows(merge(statements(250)), merge(statements(1000)));
      expect(ratio).toBeLessThan(FOURFOLD_MOST);
    }
  });

  test('in work blocks, where every file needs one, and in the report of all of it (W83)', async () => {
    const blocks = (count: number) => {
      const findings = numbers(count).map((number) =>
        reported(number, { place: { path: `src/f${number}.js`, line: 1 }, category: `k${number}` }),
      );
      const edges = findings.map(({ place }) => ({ from: place.path, to: 'src/f0.js' }));
      return () => {
        const workBlocks = deriveWorkBlocks(findings, { edges });
        return reportMarkdown(reportInput({ findings, workBlocks }));
      };
    };
    expect(await grows(blocks(500), blocks(2000))).toBeLessThan(FOURFOLD_MOST);
  });

  test('in the judgement of an answer with many results over one long file (W69)', async () => {
    const [small, large] = [answerWith(100), answerWith(400)];
    expect(await grows(small, large)).toBeLessThan(FOURFOLD_MOST);
  });

  test('in the coverage (W52)', async () => {
    const [small, large] = [coverageOver(300), coverageOver(1200)];
    expect(await grows(small, large)).toBeLessThan(FOURFOLD_MOST);
  });
});

const factsOfTree = async (tree: Iterable<Tree[number]>): Promise<ReadonlyMap<string, FileFacts>> =>
  factsOf(Object.fromEntries(tree));

const graphOver = (facts: ReadonlyMap<string, FileFacts>) => (): unknown =>
  deriveImportGraph([...facts.keys()], facts);

const pathsOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `src/d${at % 20}/f${String(at).padStart(6, '0')}.js`);

/** Each file needs two others, by default near ones. */
const planOver = (
  count: number,
  target: (at: number) => number = (at) => (at * 31 + 7) % count,
): PlanningInput => {
  const paths = pathsOf(count);
  const input = planningInput(
    paths.map((path) => sourceFile(path)),
    { lenses: [...LENSES] },
  );
  const edges = paths.flatMap((from, at) =>
    [target(at), (at + 20) % count].map((to) => ({
      from,
      to: paths[to] ?? from,
      kind: 'import' as const,
    })),
  );
  return { ...input, structure: { ...input.structure, edges } };
};

const coverageOver = (count: number) => {
  const { artifact, tasks } = planReview(planOver(count));
  const state = { kind: 'accepted', reviewer: 'agent' } as const;
  const outcomes = tasks.map((task) => ({ task, state }));
  return (): unknown => deriveCoverage(artifact, outcomes);
};

/** Results for every task of a plan, in one array, found by an index as the engine has it. */
const handedIn = (count: number) => {
  const { tasks, packets } = planReview(planOver(count));
  const packetOf = new Map(packets.flatMap(({ id, tasks: own }) => own.map((task) => [task, id])));
  const ids: ReadonlySet<string> = new Set(packets.map(({ id }) => id));
  const bytes = bytesOf(tasks.map(({ id }) => ({ task_id: id })));
  const planned = {
    packetOf: (task: string) => packetOf.get(taskId.parse(task)),
    hasPacket: (packet: string) => ids.has(packet),
  };
  return (): unknown => findAnswers(bytes, planned);
};

/** A result with a quote for each of so many tasks, over one file that is as much longer. */
const answerWith = (count: number) => {
  const lines = Array.from({ length: 10 * count }, (_, at) => `const value${at} = ${at};`);
  const text = `${lines.join('\n')}\n`;
  const one = brief(['security'], { 'src/long.js': text });
  const tasks = Array.from({ length: count }, (_, at) =>
    one.tasks.map((task) => ({ ...task, id: taskIdOf(at + 1) })),
  ).flat();
  const results = tasks.map(({ id }, at) => {
    const place = { path: 'src/long.js', line: 10 * at + 1, quote: lines[10 * at] };
    return { task: id, verdict: 'findings', findings: [statedFinding(place)] };
  });
  const given = {
    bytes: bytesOf({ packet: one.packet, results }),
    brief: { ...one, tasks },
    settled: new Set<string>(),
    provider: 'scripted',
    read: () => text,
  } as const;
  return (): void => {
    const judged = judgeAnswer(given);
    expect(judged.filter(({ kind }) => kind === 'accepted')).toHaveLength(count);
  };
};

const numbers = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index);
