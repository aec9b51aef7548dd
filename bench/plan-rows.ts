import { mixedTree, pythonTree } from './mixed-tree.ts';
import { measuredOf, type Measured } from './measure.ts';
import { measurePlan, measurePlanTime, runPlan, type PlanRun } from './plan.ts';
import {
  megabytes,
  milliseconds,
  mostRow,
  packetRow,
  speedRow,
  timeRow,
  type PacketRow,
  type Row,
} from './table.ts';
import { generatedTree, packageTree } from './trees.ts';
import { measureSecondPlan } from './second-plan.ts';

const secondPlanRows = async (what: string, tree: string): Promise<readonly Row[]> => {
  const { again, anew } = await measureSecondPlan(tree);
  return [
    speedRow(`second plan of ${what}; floor: the first`, again, 3),
    speedRow(`plan for a new audit of ${what}, unchanged; floor: the first`, anew, 1.1),
  ];
};

/** Bars of the plan, and what its packets come to, over published packages and generated trees. */
export const measurePlans = async (
  folder: string,
  say: (sentence: string) => void,
): Promise<{ readonly rows: readonly Row[]; readonly packets: readonly PacketRow[] }> => {
  const rows: Row[] = [];
  const packets: PacketRow[] = [];

  for (const { name, version } of PACKAGES) {
    say(`plan of ${name}`);
    const tree = packageTree({ name, version }, folder);
    if (tree === undefined) {
      say(`${name} ${version} is left out: npm cannot get it`);
      continue;
    }
    const what = `plan of ${name} ${version}, no analyzers; floor: list, read, digest, parse`;
    rows.push(timeRow(what, await measurePlan(tree), 4));
    packets.push(packetRow(`${name} ${version}`, runPlan(tree).figures));
    if (name === 'typeorm') rows.push(...(await secondPlanRows(`${name} ${version}`, tree)));
  }

  say('plan of 1,500 Python modules');
  const python = generatedTree('python', folder, pythonTree(1500, 11));
  const modules = 'plan of 1,500 Python modules with 11 imports each';
  rows.push(mostRow(modules, await measurePlanTime(python), 2000, milliseconds));

  say('plan of generated trees');
  const small = generatedTree('small', folder, mixedTree(5000));
  const large = generatedTree('large', folder, mixedTree(50_000));
  const runs: { readonly small: PlanRun; readonly large: PlanRun }[] = [];
  for (let round = 0; round < LARGE_ROUNDS; round += 1) {
    runs.push({ small: runPlan(small), large: runPlan(large) });
  }
  const perFile = measuredPerFile(runs);
  rows.push(
    timeRow('plan of 50,000 mixed files, CPU for a file; floor: for one of 5,000', perFile, 1.3),
  );
  rows.push(...(await secondPlanRows('5,000 mixed files', small)));
  const peak = Math.max(...runs.map((run) => run.large.peakBytes));
  rows.push(mostRow('largest memory of that plan', peak, 1.5e9, megabytes));
  for (const [name, run] of [
    ['5,000 mixed files', runs[0]?.small],
    ['50,000 mixed files', runs[0]?.large],
  ] as const) {
    if (run !== undefined) packets.push(packetRow(name, run.figures));
  }
  return { rows, packets };
};

const PACKAGES = [
  { name: 'typeorm', version: '0.3.31' },
  { name: 'date-fns', version: '4.4.0' },
  { name: 'fastify', version: '5.12.8' },
] as const;

const LARGE_ROUNDS = 3;

const cpuOfFile = ({ cpuMs, figures }: PlanRun): number => cpuMs / figures.files;

/** Both processes start cold. */
const measuredPerFile = (
  runs: readonly { readonly small: PlanRun; readonly large: PlanRun }[],
): Measured =>
  measuredOf(runs.map(({ small, large }) => ({ ms: cpuOfFile(large), floorMs: cpuOfFile(small) })));
