import { createArtifacts } from '../engine/artifacts.ts';
import type { AuditFiles } from '../engine/audit-files.ts';
import type { Session } from '../engine/session.ts';
import type { Drift } from '../platform/frozen-tree.ts';
import type { AuditState } from '../decider/state.ts';
import { driftBetween, type Inventory } from '../pipeline/inventory.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';
import { changeReason, changesFor, gateOf } from './asking.ts';
import type { ReadAudit } from './locate.ts';
import { inputName } from './read-inputs.ts';
import { exitOfRun, type RunResult } from './run-result.ts';
import type { CaughtSignals } from './signals.ts';
import { counted } from '../std/counted.ts';
import { tornTailText } from './torn-tail.ts';
import type { Work } from './work.ts';

type Conduct = Work & {
  readonly session: Session;
  readonly signals: CaughtSignals;
  readonly files: AuditFiles;
};

/**
 * Tells an opened audit what has changed since its last process, runs it until it rests, writes its
 * report and closes the log.
 */
export const conductAudit = async (given: Conduct): Promise<RunResult> => {
  const { session, signals, flags, goesOn, progress } = given;
  const { engine, recovered } = session;
  if (recovered.kind === 'torn') progress.note(tornTailText(recovered));
  let stops = 0;
  signals.onSignal(() => {
    stops += 1;
    const inFlight = engine.published().leases.size;
    progress.note(
      stops > 1 || inFlight === 0
        ? 'Stopping now.'
        : `Stopping: up to ${flags.grace / 1000} s for ${counted(inFlight, 'answer')} under way; once more (Ctrl-C) ends them at once.`,
    );
    engine.stop();
  });
  if (goesOn !== undefined) await takeUp(given, goesOn);
  for (const input of given.inputs ?? []) {
    const { kind, path, bytes, packet } = input;
    const name = inputName(path);
    given.onReceived?.(input, await session.receive({ kind, name, bytes, packet }));
  }
  await given.act?.(session);
  const end = await engine.run();
  const { report, paths } = await session.report();
  await given.ask?.(session);
  await session.close();
  const state = engine.published();
  const { seq, hash } = engine.position();
  return {
    place: given.place,
    files: given.files,
    state,
    end,
    report,
    paths,
    lastSeq: seq,
    lastHash: hash,
    spend: session.spend,
    exit: exitOfRun({
      state,
      report,
      requireComplete: flags.requireComplete === true,
      signal: signals.first(),
      failOn: gateOf(flags, goesOn?.state),
    }),
  };
};

/** What has to be said to an audit that goes on: changed files, changed limits, that it resumes. */
const takeUp = async (given: Conduct, { state: before }: ReadAudit): Promise<void> => {
  const { flags, progress, files, inventory, provider, changesNothing } = given;
  const { engine } = given.session;
  const expected = before.opened?.inputDigest;
  if (expected !== undefined && inventory.inputDigest !== expected) {
    const paths = await driftSince(engine.published(), files, inventory);
    if (paths.length > 0) {
      const reply = await engine.submit({ type: 'ReportDrift', paths });
      if (reply.kind === 'done') {
        progress.note(
          `${counted(paths.length, 'file')} changed since this audit began; the tasks that hold them are stale. The next audit takes the tree as it is then.`,
        );
      }
    }
  }
  if (changesNothing === true) return;
  const settings = engine.published().settings;
  const changes = settings && changesFor(flags, settings, provider);
  if (changes !== undefined) {
    await engine.submit({
      type: 'ChangeLimits',
      changes,
      reason: changeReason(flags),
    });
  }
  // Who starts nothing has mended nothing: `next` tells of a blocker and leaves it.
  if (given.startsNothing !== true && engine.published().lifecycle.path === 'blocked') {
    await engine.submit({ type: 'Resume', by: 'run' });
  }
};

/** Whether the tree is as the audit knows it: unchanged, or changed in ways that the log tells. */
export const isDriftKnown = async (
  { state, files }: ReadAudit,
  inventory: Inventory,
): Promise<boolean> => {
  if (inventory.inputDigest === state.opened?.inputDigest) return true;
  const paths = await driftSince(state, files, inventory);
  return paths.every(
    ({ path, found }) => state.drifted.has(path) && state.drifted.get(path) === found,
  );
};

/** Files of the audit that are not any more what its inventory says. */
const driftSince = async (
  state: AuditState,
  files: AuditFiles,
  now: Inventory,
): Promise<Drift[]> => {
  const blobs = createFileBlobStore({ disk: createNodeDisk(), directory: files.directory });
  const before = await createArtifacts(blobs).find(state, 'inventory');
  return before === undefined ? [] : driftBetween(before, now);
};
