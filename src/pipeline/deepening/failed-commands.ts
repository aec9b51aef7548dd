import type { Lens } from '../../domain/vocabulary.ts';
import { severityRank } from '../severity-rank.ts';
import type { Causes, Wish } from './wish.ts';

/** Under which a failing command is looked into: the first of them that is asked. */
const LENSES_OF_FAILURE: readonly Lens[] = [
  'correctness',
  'reliability',
  'data_integrity',
  'security',
  'tests',
  'config_deployment',
  'operability',
];

const FILES_MAX = 12;
const HIGH = severityRank('high');

/**
 * A command of the project that ran and failed, and whose output names files of which nobody has said
 * anything severe. What could not run says nothing (W74), and a failure that names no file is nobody's.
 */
export const failedCommands = ({ failed, findings, lenses }: Causes): readonly Wish[] => {
  const lens = LENSES_OF_FAILURE.find((one) => lenses.includes(one));
  if (lens === undefined) return [];
  const explained = new Set(
    findings
      .filter(({ severity, verdict }) => verdict !== 'refuted' && severityRank(severity) <= HIGH)
      .map(({ place }) => place.path),
  );
  return failed.flatMap(({ id, command, paths }) => {
    const open = paths.filter((path) => !explained.has(path)).slice(0, FILES_MAX);
    if (open.length === 0) return [];
    return [
      {
        trigger: 'runtime',
        lens,
        unit: `runtime:${id}`,
        paths: open,
        key: id,
        why: {
          cause: 'A command of the project fails, and its output names these files.',
          command,
        },
      },
    ];
  });
};
