import type { Command } from '../domain/commands.ts';
import { evolveCommit } from '../decider/evolve.ts';
import { execute } from '../decider/execute.ts';
import { initialState } from '../decider/state.ts';
import type { Clock } from '../platform/clock.ts';
import type { Disk } from '../platform/disk.ts';
import { assert } from '../std/assert.ts';
import { openFileEventStore } from '../store/file-event-store.ts';
import type { Recovered } from '../store/recovery.ts';

/**
 * Opens a log for its owner, which cuts and saves a torn tail, and closes it well: for whoever has
 * taken an epoch without having anything to do in the audit. Without the two events the next process
 * would take this one for an owner that died at work.
 *
 * @returns what was found at the log's end.
 */
export const closeLog = async (given: {
  readonly disk: Disk;
  readonly clock: Clock;
  /** The audit's folder. */
  readonly directory: string;
  readonly epoch: number;
  readonly tool: string;
}): Promise<Recovered> => {
  const { clock, epoch, tool } = given;
  const state = initialState();
  const store = await openFileEventStore({
    disk: given.disk,
    directory: given.directory,
    epoch,
    mode: 'existing',
    visit: (commit) => evolveCommit(state, commit),
  });
  // A log that was cut at its first line holds no audit, and nothing can be said to it.
  if (state.opened !== undefined) {
    const now = Math.max(clock.now(), state.at);
    const commands: readonly Command[] = [
      { type: 'OpenWriter', epoch, tool, now },
      { type: 'CloseWriter', now },
    ];
    for (const command of commands) {
      const expected = { seq: state.seq, epoch };
      const execution = execute(state, command);
      assert(execution.kind === 'decided', `W4: an owner may ${command.type}`);
      const { cause, events, from, to } = execution;
      await store.append({ at: now, cause, events, from, to }, expected);
    }
  }
  await store.close();
  return store.recovered;
};
