import type { Lens } from '../../domain/vocabulary.ts';
import { compareText } from '../../std/canonical-json.ts';
import { clip } from '../../std/printable.ts';
import { severityRank } from '../severity-rank.ts';
import type { Causes, ReviewedTask, Wish } from './wish.ts';

/** Lenses under which a single overlooked defect can cost most. */
const STEWARD_LENSES: readonly Lens[] = ['security', 'data_integrity', 'reliability'];
/** As many as a reader can hold against each other. */
export const STEWARD_FILES_MAX = 12;
const SAID_MAX = 12;
const TITLE_LENGTH = 160;

/**
 * For each lens that matters one reader who looks over the whole of it: at the files that tell most, and at
 * what was said under the lens, for what falls between the parts. Only where there is enough to look over:
 * two tasks, and a cause.
 */
export const stewards = (causes: Causes): readonly Wish[] =>
  STEWARD_LENSES.filter((lens) => causes.lenses.includes(lens)).flatMap((lens) => {
    const own = causes.reviewed.filter(({ task }) => task.kind === 'review' && task.lens === lens);
    const cause = causeOf(own, lens, causes);
    if (own.length < SOURCES_MIN || cause === undefined) return [];
    const paths = mostTelling(own, lens, causes);
    return [
      {
        trigger: 'steward',
        lens,
        unit: `steward:${lens}`,
        paths,
        key: lens,
        why: {
          cause,
          tasks: own.length,
          clean: own.filter(({ result }) => result.verdict === 'clean').length,
          said: own
            .flatMap(({ result }) => result.findings)
            .toSorted(
              (left, right) =>
                severityRank(left.severity) - severityRank(right.severity) ||
                compareText(left.place.path, right.place.path) ||
                left.place.line - right.place.line,
            )
            .slice(0, SAID_MAX)
            .map(({ severity, title, place }) => ({
              file: place.path,
              line: place.line,
              severity,
              title: clip(title, TITLE_LENGTH),
            })),
        },
      },
    ];
  });

const SOURCES_MIN = 2;
/** What one reviewer of a part cannot see as a whole any more. */
const LARGE = { tasks: 3, files: 4, lines: 2000 } as const;

const causeOf = (
  own: readonly ReviewedTask[],
  lens: Lens,
  { isInFlow, leadsOf, linesOf, findings }: Causes,
): string | undefined => {
  const paths = [...new Set(own.flatMap(({ task }) => task.paths))];
  if (paths.some(isInFlow)) return 'Input from outside goes through these files.';
  const told = new Set(findings.map(({ place }) => place.path));
  const isUnresolved = (path: string): boolean =>
    !told.has(path) && leadsOf(path).some((lead) => lead.lens === lens);
  if (paths.some(isUnresolved)) return 'Analyzers say something that no reviewer took up.';
  const lines = paths.reduce((sum, path) => sum + linesOf(path), 0);
  if (own.length >= LARGE.tasks || paths.length >= LARGE.files || lines >= LARGE.lines) {
    return 'No single reviewer has seen all that there is under this point of view.';
  }
  const clean = own.filter(({ result }) => result.verdict === 'clean').length;
  return clean >= 2 && clean * 2 >= own.length ? 'Most of it was called clean.' : undefined;
};

const mostTelling = (
  own: readonly ReviewedTask[],
  lens: Lens,
  { isInFlow, leadsOf, riskOf, linesOf }: Causes,
): readonly string[] => {
  const scores = new Map<string, number>();
  for (const { task, result } of own) {
    for (const path of task.paths) {
      if (scores.has(path)) continue;
      const inFlow = isInFlow(path);
      const isLed = leadsOf(path).some((lead) => lead.lens === lens);
      const isCalledClean = result.verdict === 'clean' && inFlow;
      scores.set(path, riskOf(path) + (inFlow ? 6 : 0) + (isLed ? 8 : 0) + (isCalledClean ? 5 : 0));
    }
    for (const { place, severity } of result.findings) {
      const weight = 5 - severityRank(severity);
      scores.set(place.path, (scores.get(place.path) ?? 0) + weight);
    }
  }
  return [...scores]
    .toSorted(
      ([one, left], [other, right]) =>
        right - left || linesOf(other) - linesOf(one) || compareText(one, other),
    )
    .slice(0, STEWARD_FILES_MAX)
    .map(([path]) => path);
};
