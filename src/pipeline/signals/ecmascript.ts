import type { EcmaScriptModule } from 'oxc-parser';
import { visitNodes, type Node } from '../imports/ecmascript-program.ts';
import { mayHaveSurfaces, surfacesInProgram } from './ecmascript-surfaces.ts';
import { sortSurfaces, type FileSignals } from './file-signals.ts';

/**
 * Signals of one JavaScript or TypeScript file. The whole tree is several times dearer than the
 * module record, so it is read only where the text holds a word that an entrance needs, or where
 * somebody has asked for it anyway.
 *
 * @param given.hasTree the tree is there already and costs nothing more.
 */
export const readEcmascriptSignals = (given: {
  readonly text: string;
  readonly module: EcmaScriptModule;
  readonly program: () => unknown;
  readonly hasTree: boolean;
  readonly lineOf: (offset: number) => number;
}): FileSignals => {
  const exports = exportedNames(given.module);
  if (!given.hasTree && !mayHaveSurfaces(given.text)) return { surfaces: [], exports };
  const nodes: Node[] = [];
  visitNodes(given.program(), (node) => nodes.push(node));
  let branches = 0;
  for (const { type } of nodes) if (BRANCHES.has(type)) branches += 1;
  return { branches, surfaces: sortSurfaces(surfacesInProgram(nodes, given.lineOf)), exports };
};

const exportedNames = (module: EcmaScriptModule): string[] => {
  const names = new Set<string>();
  for (const { entries } of module.staticExports) {
    for (const { exportName, isType } of entries) {
      if (isType) continue;
      const name = exportName.kind === 'Default' ? 'default' : (exportName.name ?? '*');
      if (names.size < EXPORTS_MAX) names.add(name);
    }
  }
  return [...names].toSorted();
};

/** What a file exports beyond this is a list that no person reads. */
const EXPORTS_MAX = 200;

const BRANCHES: ReadonlySet<string> = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchCase',
  'CatchClause',
]);
