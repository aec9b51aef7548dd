import { tellBlocker } from '../domain/blocker.ts';
import { ingestOutput, type IngestOutput } from '../domain/ingest-output.ts';
import { reportPaths } from '../engine/reporting.ts';
import { createIntake, isNews } from './intake.ts';
import type { Progress } from './progress.ts';
import type { ReadInputs } from './read-inputs.ts';
import { isAtRest } from './unchanged-audit.ts';
import { visitAudit, type Visited, type VisitFlags } from './visit-audit.ts';

/**
 * Hands files in to an audit that is there, lets it judge them, and takes it as far as it goes without
 * starting anything. What cannot be taken is told file by file and part by part. When everything has
 * been seen before, nothing is claimed and nothing appended, unless a killed process left something
 * of it undone.
 */
export const ingestFiles = async (
  inputs: ReadInputs,
  visited: Visited,
  flags: VisitFlags,
  progress: Progress,
): Promise<IngestOutput> => {
  const before = visited.audit;
  const intake = createIntake(inputs);
  const isNothingNew = !inputs.files.some((file) => isNews(before.state, file));
  const result =
    isNothingNew && isAtRest(before.state)
      ? { state: before.state, lastSeq: before.position.seq, lastHash: before.position.hash }
      : await visitAudit(visited, flags, intake.watch(progress), intake.visit);
  const { counts, lifecycle, blocker, completed } = result.state;
  const { open, ...settled } = counts.tasks;
  const done = Object.values(settled).reduce((sum, count) => sum + count, 0);
  // In the order of the schema, which is how people read it.
  return ingestOutput.parse({
    contract: 'casefile/ingest/v1',
    audit: before.audit,
    state: lifecycle.path,
    files: [
      ...intake.outcomes(result.state, {
        past: before.commits,
        analyzers: 'report' in result ? result.report.analyzers : [],
      }),
    ],
    tasks: { open, settled: done, total: open + done },
    ...(blocker && { blocker: tellBlocker(blocker) }),
    ...(completed && { report: { ...reportPaths(before.files.reports) } }),
    lastSeq: result.lastSeq,
    lastHash: result.lastHash,
  });
};
