import { join } from 'node:path';
import { ANSWER_VERSION } from '../domain/answer.ts';
import { LOG_VERSION } from '../domain/commit.ts';
import { UsageError } from '../domain/usage-error.ts';
import type { AuditState } from '../decider/state.ts';
import { createArtifacts } from '../engine/artifacts.ts';
import { auditFiles, type AuditFiles } from '../engine/audit-files.ts';
import { openSession, type Opening, type Session } from '../engine/session.ts';
import { enrich } from '../analyzers/enrich.ts';
import { takeInventory, type DriftedFile } from '../analyzers/read-tree.ts';
import { driftBetween, type Inventory } from '../pipeline/inventory.ts';
import { createSystemClock } from '../platform/clock.ts';
import { freezeTree, type FrozenCopy } from '../platform/frozen-tree.ts';
import { createSourceTree } from '../platform/git-source-tree.ts';
import { runProgram } from '../platform/subprocess.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import type { Provider } from '../providers/provider.ts';
import { createStateView } from '../store/state-view.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';
import { asksTheSame, changesFor, gateOf, newSettings } from './asking.ts';
import {
  frozenBase,
  isWithin,
  listAudits,
  locate,
  newestAudit,
  type Place,
  type ReadAudit,
} from './locate.ts';
import { mendTail, tornTailText } from './torn-tail.ts';
import { createAudit, ownAudit } from './own-audit.ts';
import type { Progress } from './progress.ts';
import { createProvider } from './provide.ts';
import { exitOfRun, type RunFlags, type RunResult } from './run-result.ts';
import { catchSignals } from './signals.ts';
import { isAnswered, unchangedResult } from './unchanged-audit.ts';
import { TOOL_VERSION } from './version.ts';

/** Everything of `run` but printing; `plan` uses it too. */
export const runAudit = async (
  root: string | undefined,
  flags: RunFlags,
  progress: Progress,
): Promise<RunResult> => {
  const disk = createNodeDisk();
  const clock = createSystemClock();
  const place = await locate(root, flags.stateDir);
  const seen = (await listAudits(disk, place)).at(-1);
  const newest = flags.fresh === true ? undefined : await newestAudit(disk, place);
  const unfinished = newest?.state.completed === undefined ? newest : undefined;
  const providerId = flags.provider ?? unfinished?.state.settings?.provider ?? 'builtin';

  const source = createSourceTree(place.root);
  refuseForeignState(place, newest, source.name);
  const inventory = await takeInventory(source);
  if (inventory.files.length === 0) {
    throw new UsageError(
      `${place.root} holds no files to audit.`,
      'Name a folder with files in it.',
    );
  }
  if (newest !== undefined && isAnswered(newest, flags, inventory)) {
    const whole =
      newest.tail.kind === 'clean'
        ? newest
        : await mendTail(place, newest, { disk, clock, flags, note: progress.note });
    return unchangedResult(whole, place, flags);
  }
  const provider = await createProvider(providerId, flags, { disk, clock });
  const goesOn =
    unfinished?.state.settings !== undefined &&
    asksTheSame(flags, unfinished.state.settings, provider)
      ? unfinished
      : undefined;
  if (newest !== undefined && goesOn === undefined) {
    const why =
      unfinished === undefined
        ? 'What is asked or the tree has changed'
        : 'Something else is asked';
    progress.note(`${why} since audit ${newest.audit}: a new audit begins.`);
  }

  const copies = await frozenBase(place.root);
  const owned =
    goesOn === undefined
      ? await createAudit(disk, place, clock, seen)
      : {
          audit: goesOn.audit,
          begun: () => Promise.resolve(),
          ...(await ownAudit(disk, place, goesOn.audit, flags.takeOver === true)),
        };
  for (const notice of owned.notices) progress.note(notice);
  const files = auditFiles(place.stateDirectory, owned.audit);
  const folder = join(copies, owned.audit, 'tree');
  let copy: Promise<FrozenCopy> | undefined;

  const session = await openSession(
    {
      disk,
      clock,
      files,
      epoch: owned.epoch,
      tool: TOOL_VERSION,
      startsMax: flags.maxRuns,
      failOn: gateOf(flags, goesOn?.state),
      options: {
        wait: flags.wait === true,
        graceMs: flags.grace,
        ...(flags.planOnly === true && { startNothing: true }),
      },
      providerOf: (id) => {
        if (id === provider.id) return provider;
        throw new UsageError(
          `An attempt of provider "${id}" is still open, and this call has provider "${provider.id}".`,
          `Run once more with --provider ${id} until it has ended.`,
        );
      },
      takeInventory: () => Promise.resolve(inventory),
      freeze: (of) => (copy ??= freezeTree({ source, inventory: of, folder })),
      enrich: (given, stop) =>
        enrich({
          ...given,
          scratch: join(folder, '..', 'scratch'),
          run: (program) => runProgram({ ...program, stop }),
        }),
      onCommit: progress.onCommit,
      view: createStateView({
        file: files.stateView,
        clock,
        onError: (error) => progress.note(`state.json could not be written: ${String(error)}`),
      }),
    },
    goesOn === undefined
      ? openingOf(owned.audit, inventory, flags, provider, source.name)
      : undefined,
  ).finally(owned.begun);
  return conduct({ session, flags, provider, goesOn, inventory, place, files, progress });
};

/** A state directory of its own may be shared by mistake; a log does not know where its root lies. */
const refuseForeignState = (place: Place, newest: ReadAudit | undefined, name: string): void => {
  const known = newest?.state.opened?.root.name;
  if (known === undefined || known === name || isWithin(place.stateDirectory, place.root)) return;
  throw new UsageError(
    `The state directory ${place.stateDirectory} holds audits of "${known}", and this is "${name}".`,
    'Choose another one with --state-dir, or begin anew there with --fresh.',
  );
};

type Conduct = {
  readonly session: Session;
  readonly flags: RunFlags;
  readonly provider: Provider;
  readonly goesOn: ReadAudit | undefined;
  readonly inventory: Inventory;
  readonly place: Place;
  readonly files: AuditFiles;
  readonly progress: Progress;
};

const conduct = async (given: Conduct): Promise<RunResult> => {
  const { session, flags, provider, goesOn, inventory, progress } = given;
  const { engine, recovered } = session;
  if (recovered.kind === 'torn') progress.note(tornTailText(recovered));
  const signals = catchSignals(() => engine.stop());
  try {
    if (goesOn !== undefined) await takeUp(given, goesOn, inventory, provider);
    const end = await engine.run();
    const { report, paths } = await session.report();
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
  } finally {
    signals.release();
  }
};

/** What has to be said to an audit that goes on: changed files, changed limits, that it resumes. */
const takeUp = async (
  { session: { engine }, flags, progress, files }: Conduct,
  { state: before }: ReadAudit,
  inventory: Inventory,
  provider: Provider,
): Promise<void> => {
  const expected = before.opened?.inputDigest;
  if (expected !== undefined && inventory.inputDigest !== expected) {
    const paths = await driftSince(engine.published(), files, inventory);
    if (paths.length > 0) {
      const reply = await engine.submit({ type: 'ReportDrift', paths });
      if (reply.kind === 'done') {
        progress.note(
          `${paths.length} files changed since this audit began; their tasks are stale. The next audit takes the tree as it is then.`,
        );
      }
    }
  }
  const settings = engine.published().settings;
  const changes = settings && changesFor(flags, settings, provider);
  if (changes !== undefined) {
    await engine.submit({
      type: 'ChangeLimits',
      changes,
      reason: 'asked for by the flags of this call',
    });
  }
  if (engine.published().lifecycle.path === 'blocked') {
    await engine.submit({ type: 'Resume', by: 'run' });
  }
};

/** Files of the audit that are not any more what its inventory says. */
const driftSince = async (
  state: AuditState,
  files: AuditFiles,
  now: Inventory,
): Promise<DriftedFile[]> => {
  const blobs = createFileBlobStore({ disk: createNodeDisk(), directory: files.directory });
  const before = await createArtifacts(blobs).find(state, 'inventory');
  return before === undefined ? [] : driftBetween(before, now);
};

const openingOf = (
  audit: Opening['audit'],
  inventory: Inventory,
  flags: RunFlags,
  provider: Provider,
  name: string,
): Opening => ({
  audit,
  root: {
    name,
    inventory: inventory.source,
    ...(inventory.commit !== undefined && { commit: inventory.commit }),
  },
  inputDigest: inventory.inputDigest,
  files: inventory.files.length,
  settings: newSettings(flags, provider),
  tool: { name: 'casefile', version: TOOL_VERSION },
  schema: { log: LOG_VERSION, answer: ANSWER_VERSION },
});
