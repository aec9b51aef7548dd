import { join } from 'node:path';
import { ANSWER_VERSION } from '../domain/answer.ts';
import { LOG_VERSION } from '../domain/commit.ts';
import { UsageError } from '../domain/usage-error.ts';
import { auditFiles } from '../engine/audit-files.ts';
import { openSession, type Opening } from '../engine/session.ts';
import { enrich } from '../analyzers/enrich.ts';
import { takeInventory } from '../analyzers/read-tree.ts';
import { deriveDisposition, includedFiles } from '../pipeline/disposition.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import { createSystemClock } from '../platform/clock.ts';
import { freezeTree, type FrozenCopy } from '../platform/frozen-tree.ts';
import { createSourceTree } from '../platform/git-source-tree.ts';
import { runProgram } from '../platform/subprocess.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import type { Provider } from '../providers/provider.ts';
import { createStateView } from '../store/state-view.ts';
import { gateOf, newSettings } from './asking.ts';
import { conductAudit } from './conduct-audit.ts';
import {
  frozenBase,
  isWithin,
  listAudits,
  locate,
  newestAudit,
  type Place,
  type ReadAudit,
} from './locate.ts';
import { createAudit, ownAudit } from './own-audit.ts';
import type { Progress } from './progress.ts';
import { chooseAudit, openingWords, type Choice } from './choose-audit.ts';
import { createProvider } from './provide.ts';
import type { RunFlags, RunResult } from './run-result.ts';
import { catchSignals } from './signals.ts';
import { mendTail } from './torn-tail.ts';
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
  const unchanged = async (audit: ReadAudit): Promise<RunResult> =>
    unchangedResult(
      audit.tail.kind === 'clean'
        ? audit
        : await mendTail(place, audit, { disk, clock, flags, note: progress.note }),
      place,
      flags,
    );
  if (inventory.files.length === 0) {
    throw new UsageError(
      `${place.root} holds no files to audit.`,
      'Name a folder with files in it.',
    );
  }
  const answered =
    newest !== undefined && isAnswered(newest, flags, inventory) ? newest : undefined;
  if (answered !== undefined) return unchanged(answered);
  const provider = await createProvider(providerId, flags, { disk, clock });
  const choice: Choice =
    flags.fresh === true
      ? { kind: 'new' }
      : await chooseAudit(disk, place, { asked: flags, provider, inventory });
  if (choice.kind === 'answered') return unchanged(choice.audit);
  const goesOn = choice.kind === 'goes-on' ? choice.audit : undefined;
  if (goesOn === undefined) refuseEmptySelection(inventory, flags);
  const opening = openingWords(newest, goesOn);
  if (opening !== undefined) progress.note(opening);
  progress.countPast(goesOn?.commits ?? []);

  const copies = await frozenBase(place.root);
  const signals = catchSignals();
  try {
    const owned =
      goesOn === undefined
        ? await createAudit(disk, place, clock, seen, flags.takeOver === true)
        : {
            audit: goesOn.audit,
            begun: () => Promise.resolve(),
            ...(await ownAudit(disk, place, goesOn.audit, flags.takeOver === true)),
          };
    for (const notice of owned.notices) progress.note(notice);
    const files = auditFiles(place.stateDirectory, owned.audit);
    const folder = join(copies, owned.audit, 'tree');
    let copy: Promise<FrozenCopy> | undefined;

    const opening = openSession(
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
        source,
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
    );
    // Whether it has begun or failed, the next one may create.
    await opening.then(owned.begun, owned.begun);
    const session = await opening;
    return await conductAudit({
      session,
      signals,
      flags,
      provider,
      goesOn,
      inventory,
      place,
      files,
      progress,
    });
  } finally {
    signals.release();
  }
};

/** A typing error in a pattern must not look like a clean audit. */
const refuseEmptySelection = (inventory: Inventory, { include, exclude }: RunFlags): void => {
  if ((include ?? []).length === 0 && (exclude ?? []).length === 0) return;
  const selection = { include: include ?? [], exclude: exclude ?? [] };
  if (includedFiles(inventory, deriveDisposition(inventory, selection)).length > 0) return;
  throw new UsageError(
    'No file is left to review by --include and --exclude.',
    'Patterns are as in .gitignore, relative to the root: --include src/ or --include "*.ts".',
  );
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
