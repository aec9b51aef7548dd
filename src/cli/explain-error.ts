import { CommanderError } from 'commander';
import { UsageError } from '../domain/usage-error.ts';
import { EXIT } from './exit.ts';
import { terminal } from './terminal.ts';

/** What went wrong, why, and what to do; a stack trace only for what is our own fault. */
export const explainError = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.trouble;
  if (error instanceof UsageError) {
    terminal.tell(`casefile: ${error.message}\n  ${error.hint}`);
    return EXIT.trouble;
  }
  if (!(error instanceof Error)) {
    terminal.say(`casefile: ${String(error)}`);
    return EXIT.trouble;
  }
  switch (error.name) {
    case 'OwnedError':
      terminal.say(`casefile: ${error.message}`);
      return EXIT.stopped;
    case 'StaleWriterError':
      terminal.say(
        `casefile: ${error.message} This process stopped writing; the other one goes on.`,
      );
      return EXIT.stopped;
    case 'LogDamagedError':
      terminal.tell(
        `casefile: the log is damaged. ${error.message}\n  Nothing was changed. See: casefile verify. To cut it there, keeping what is cut: casefile repair. To start anew: casefile run --fresh`,
      );
      return EXIT.trouble;
    case 'NewerLogError':
      terminal.tell(
        `casefile: the log was written by a newer casefile. ${error.message}\n  Update casefile to go on with it; nothing was changed.`,
      );
      return EXIT.trouble;
    case 'GitFailedError':
      terminal.tell(`casefile: ${error.message}`);
      return EXIT.trouble;
    case 'StoreFailedError':
    case 'BlobDamagedError':
    case 'BlobMissingError':
      terminal.tell(
        `casefile: ${error.message}\n  What was recorded before is safe. Mend the cause (a full or failing disk?) and run again.`,
      );
      return EXIT.trouble;
    default:
      if ('code' in error && typeof error.code === 'string' && 'syscall' in error) {
        terminal.tell(
          `casefile: ${error.message}\n  Mend the cause and run again; nothing is lost.`,
        );
        return EXIT.trouble;
      }
      terminal.tell(
        `casefile: an internal error. The log is as it was; please report this.\n${error.stack ?? error.message}`,
      );
      return EXIT.trouble;
  }
};
