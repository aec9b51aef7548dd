import { z } from 'zod';
import { assessChangesTogether } from './design/changes-together.ts';
import { assessCycles } from './design/cycles.ts';
import { assessDuplication, type Duplicate } from './design/duplication.ts';
import { assessGodFiles } from './design/god-files.ts';
import { assessHubs } from './design/hubs.ts';
import { assessLayering, type Boundary } from './design/layering.ts';
import { assessUntestedFlows } from './design/untested-flows.ts';
import { assessment, assessmentRule, strongest, type Assessment } from './design/assessment.ts';
import { includedFiles, type Disposition } from './disposition.ts';
import type { ImportEdge } from './import-edge.ts';
import type { Inventory } from './inventory.ts';
import { roleOf } from './lens-selection.ts';
import { isDeclarationFile, isTrialPath } from './shape/path-kinds.ts';
import type { Shape } from './shape/shape.ts';

/** What the shape of the code says by itself. Artifacts of earlier versions have none of it. */
export const designAssessment = z.object({
  /** By rule in the order of `assessmentRule`, the strongest of each first. */
  assessments: z.array(assessment).default([]),
  /** How many of a rule were weaker than those above. */
  leftOut: z.array(z.object({ rule: assessmentRule, count: z.int().positive() })).default([]),
});
export type DesignAssessment = z.infer<typeof designAssessment>;

export type DesignInput = {
  readonly inventory: Inventory;
  readonly disposition: Disposition;
  readonly structure: { readonly edges: readonly ImportEdge[]; readonly shape?: Shape | undefined };
  readonly duplicates?: readonly Duplicate[] | undefined;
  readonly boundaries?: readonly Boundary[] | undefined;
};

/** Applies every rule and keeps of each the strongest. Nothing is an opinion: each names its figures. */
export const deriveDesignAssessment = (given: DesignInput): DesignAssessment => {
  const { edges, shape } = given.structure;
  const files = includedFiles(given.inventory, given.disposition);
  const roles = new Map(files.map((file) => [file.path, roleOf(file)]));
  const lines = new Map(files.map((file) => [file.path, file.lines]));
  const isTest = (path: string): boolean => roles.get(path) === 'test';
  const isCode = (path: string): boolean => roles.get(path) === 'code';
  // Declarations alone import without loading anything; tests and examples need what they show.
  const running = edges.filter(
    ({ kind, from, to }) =>
      kind !== 'type' && from !== to && !isDeclarationFile(from) && !isDeclarationFile(to),
  );
  const shipped = running.filter(
    ({ from, to }) => ![from, to].some((path) => isTest(path) || isTrialPath(path)),
  );
  const sinkKinds = new Map<string, string[]>();
  for (const { path, kind } of shape?.sinks ?? []) {
    sinkKinds.set(path, [...(sinkKinds.get(path) ?? []), kind]);
  }
  const found: readonly Assessment[] = [
    ...assessCycles(shipped),
    ...assessHubs(shipped, (path) => lines.get(path) ?? 0),
    ...assessGodFiles({ files, edges: shipped, sinkKindsOf: (path) => sinkKinds.get(path) ?? [] }),
    ...assessLayering({
      edges,
      packages: shape?.packages ?? [],
      isTest,
      isCode,
      boundaries: given.boundaries,
    }),
    ...(shape === undefined
      ? []
      : [
          ...assessUntestedFlows({
            flows: shape.flows,
            untested: new Set(shape.untested),
            hasTests: [...roles.values()].includes('test'),
          }),
          ...assessChangesTogether(shape.history, edges, isCode),
        ]),
    ...assessDuplication(given.duplicates ?? []),
  ];
  const byRule = assessmentRule.options.map((rule) => ({
    rule,
    ...strongest(found.filter((one) => one.rule === rule)),
  }));
  return {
    assessments: byRule.flatMap(({ kept }) => kept),
    leftOut: byRule.flatMap(({ rule, leftOut }) =>
      leftOut === 0 ? [] : [{ rule, count: leftOut }],
    ),
  };
};
