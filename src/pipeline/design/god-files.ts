import type { ImportEdge } from '../import-edge.ts';
import type { InventoryFile } from '../inventory.ts';
import { roleOf } from '../lens-selection.ts';
import { isDeclarationFile, isTrialPath } from '../shape/path-kinds.ts';
import type { Assessment } from './assessment.ts';
import { fansOf } from './hubs.ts';
import { percentile } from './percentile.ts';

/**
 * `god-file`: a source file that is far larger than its like and does much at once. Its lines must
 * be among the highest fiftieth of the code of the tree and at least `LINES_MIN`; and two of these must
 * hold (one, if it is half as large again): many need it, it needs many, it touches three or more kinds of things that matter.
 */
export const assessGodFiles = (given: {
  readonly files: readonly InventoryFile[];
  readonly edges: readonly ImportEdge[];
  readonly sinkKindsOf: (path: string) => readonly string[];
}): readonly Assessment[] => {
  const code = given.files.filter(
    (file) => roleOf(file) === 'code' && !isDeclarationFile(file.path) && !isTrialPath(file.path),
  );
  const fans = fansOf(given.edges);
  const linesMin = Math.max(
    LINES_MIN,
    percentile(
      code.map(({ lines }) => lines),
      0.98,
    ),
  );
  const inMin = Math.max(
    FAN_MIN,
    percentile(
      code.map(({ path }) => fans.get(path)?.fanIn ?? 0),
      0.95,
    ),
  );
  const outMin = Math.max(
    FAN_MIN,
    percentile(
      code.map(({ path }) => fans.get(path)?.fanOut ?? 0),
      0.95,
    ),
  );
  return code.flatMap(({ path, lines }): readonly Assessment[] => {
    if (lines < linesMin) return [];
    const { fanIn = 0, fanOut = 0 } = fans.get(path) ?? {};
    const kinds = given.sinkKindsOf(path);
    const reasons = [
      ...(fanIn >= inMin ? [`${fanIn} files need it`] : []),
      ...(fanOut >= outMin ? [`it needs ${fanOut} files`] : []),
      ...(kinds.length >= KINDS_MIN ? [`it touches ${kinds.toSorted().join(', ')}`] : []),
    ];
    if (reasons.length < (lines >= 1.5 * linesMin ? 1 : 2)) return [];
    return [
      {
        rule: 'god-file',
        statement: `${lines} lines in one file (from ${linesMin} on it is told): ${reasons.join('; ')}.`,
        paths: [path],
        evidence: [{ path, line: 1, note: `the file has ${lines} lines` }],
        figures: {
          lines,
          linesMin,
          fanIn,
          fanInMin: inMin,
          fanOut,
          fanOutMin: outMin,
          sinkKinds: kinds.length,
        },
        strength: (lines / linesMin) * reasons.length,
      },
    ];
  });
};

const LINES_MIN = 500;
const FAN_MIN = 10;
const KINDS_MIN = 3;
