import { createNodeDisk } from '../../platform/node-disk.ts';
import { createFileBlobStore } from '../../store/file-blob-store.ts';
import { verifyLog, type LogProblem } from '../../store/verify-log.ts';
import { auditFiles } from '../../engine/audit-files.ts';
import { EXIT } from '../exit.ts';
import { chosenLog, locate } from '../locate.ts';
import { terminal } from '../terminal.ts';
import { commandTo, wayFromHere, type Way } from '../way-to.ts';
import type { ReadFlags } from './status.ts';

/** `casefile verify`: every byte, the chain, the numbers and the blobs of an audit. Writes nothing. */
export const verifyCommand = async (
  root: string | undefined,
  flags: ReadFlags,
): Promise<number> => {
  const disk = createNodeDisk();
  const place = await locate(root, flags.stateDir);
  const audit = await chosenLog(disk, place, flags.audit);
  const { directory } = auditFiles(place.stateDirectory, audit);
  const blobs = createFileBlobStore({ disk, directory });
  const {
    commits,
    blobs: blobCount,
    position,
    problems,
  } = await verifyLog({ disk, directory, blobs });
  if (flags.json === true) {
    terminal.json({
      audit,
      commits,
      blobs: blobCount,
      lastSeq: position.seq,
      lastHash: position.hash,
      problems,
    });
  } else {
    const way = await wayFromHere(place, flags.audit);
    terminal.answer(
      [
        `Audit ${audit}: ${commits} commits up to event ${position.seq}, ${blobCount} blobs.`,
        ...(problems.length === 0
          ? [`Everything is whole. Last hash ${position.hash}.`]
          : [...problems.map((problem) => `  ${problemText(problem)}`), remedyFor(problems, way)]),
      ].join('\n'),
    );
  }
  return problems.length === 0 ? EXIT.fine : EXIT.overGate;
};

const problemText = (problem: LogProblem): string => {
  switch (problem.kind) {
    case 'torn-tail':
      return `torn tail: ${problem.place.file}, line ${problem.place.line}, ${problem.bytes} bytes after event ${problem.place.seq - 1}`;
    case 'damaged':
      return `damaged: ${problem.message}`;
    case 'newer':
      return `newer: ${problem.message}`;
    case 'blob-missing':
    case 'blob-damaged':
    case 'blob-unreadable':
      return `${problem.kind} ${problem.blob.digest}, named at event ${problem.place.seq}: ${problem.message}`;
  }
};

const remedyFor = (problems: readonly LogProblem[], way: Way): string =>
  problems.some(({ kind }) => kind === 'damaged')
    ? `To cut the log at the damage, keeping what is cut: casefile ${commandTo(way, 'repair')}`
    : problems.every(({ kind }) => kind === 'torn-tail')
      ? 'The next run cuts and saves the torn tail by itself.'
      : `Restore the audit from a copy, or start a new one: casefile ${commandTo({ ...way, audit: undefined }, 'run', '--fresh')}`;
