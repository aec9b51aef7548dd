import { createProgress } from '../progress.ts';
import { runAudit } from '../run-audit.ts';
import { runJson, type RunFlags, type RunResult } from '../run-result.ts';
import { runSummary } from '../run-summary.ts';
import { terminal } from '../terminal.ts';

/** `casefile run`: starts an audit, or goes on with it, until it rests. @returns the exit code. */
export const runCommand = async (root: string | undefined, flags: RunFlags): Promise<number> => {
  const progress = createProgress({
    isLive: flags.ui === undefined ? terminal.isLive() : flags.ui === 'tty',
  });
  let result: RunResult;
  try {
    result = await runAudit(root, flags, progress);
  } finally {
    progress.stop();
  }
  if (flags.json === true) terminal.json(runJson(result));
  else terminal.tell(runSummary(result));
  return result.exit.code;
};
