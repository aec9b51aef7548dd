import { join } from 'node:path';
import { ANSWER_VERSION } from '../domain/answer.ts';
import { LOG_VERSION } from '../domain/commit.ts';
import type { AuditId, PacketId, TaskId } from '../domain/ids.ts';
import type { Settings } from '../domain/settings.ts';
import type { ProviderId } from '../domain/vocabulary.ts';
import { auditFiles } from '../engine/audit-files.ts';
import type { AuditState } from '../decider/state.ts';
import { readEarlierResults } from '../engine/earlier-results.ts';
import { openSession, type Opening, type SessionParts } from '../engine/session.ts';
import { enrich } from '../analyzers/enrich.ts';
import { runProjectCommands } from '../analyzers/run-project-commands.ts';
import { findTools } from '../analyzers/found/found-tools.ts';
import { runFoundTools } from '../analyzers/run-found-tools.ts';
import type { Enrichment } from '../pipeline/enrichment.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import { createContentCache, type ContentCache } from '../platform/content-cache.ts';
import { freezeTree, type FrozenCopy } from '../platform/frozen-tree.ts';
import { readGitHistory } from '../platform/git-history.ts';
import { runProgram, type RunProgram } from '../platform/subprocess.ts';
import type { Provider } from '../providers/provider.ts';
import { required } from '../std/assert.ts';
import { createStateView } from '../store/state-view.ts';
import { gateOf, newSettings } from './asking.ts';
import { conductAudit } from './conduct-audit.ts';
import { frozenFolder } from './frozen-copy.ts';
import { frozenBase, listAudits, readAudit } from './locate.ts';
import { createAudit, ownAudit } from './own-audit.ts';
import { linkedFolder } from './own-folders.ts';
import { createProvider } from './provide.ts';
import type { RunFlags, RunResult } from './run-result.ts';
import { catchSignals } from './signals.ts';
import { TOOL_VERSION } from './version.ts';
import type { Work } from './work.ts';

/** Beside the frozen copies; for all audits of a user. It keeps its own bound, so `gc` leaves it alone. */
const FACTS_FOLDER = 'facts';

/** Owns an audit, takes it on until it rests, writes its report and lets it go. */
export const workOnAudit = async (work: Work): Promise<RunResult> => {
  const { place, disk, clock, source, inventory, provider, flags, progress, goesOn } = work;
  let providers: ReadonlyMap<ProviderId, Provider> = new Map([[provider.id, provider]]);
  const signals = catchSignals();
  try {
    const owned = await own(work);
    for (const notice of owned.notices) progress.note(notice);
    const files = auditFiles(place.stateDirectory, owned.audit);
    const folder = await frozenFolder(place, owned.audit);
    let copy: Promise<FrozenCopy> | undefined;
    const cache = createContentCache(join(await frozenBase(place.root), FACTS_FOLDER));

    const opening = openSession(
      {
        disk,
        clock,
        files,
        epoch: owned.epoch,
        tool: TOOL_VERSION,
        startsMax: flags.maxRuns,
        packetsMax: flags.limit,
        failOn: gateOf(flags, goesOn?.state),
        options: {
          wait: flags.wait === true,
          graceMs: flags.grace,
          ...((flags.planOnly ?? work.startsNothing) === true && { startNothing: true }),
          ...(work.restsAtPlan === true && { restAtPlan: true }),
        },
        providerOf: (id) => required(providers.get(id), `the provider "${id}" of a lease is known`),
        source,
        takeInventory: () => Promise.resolve(inventory),
        freeze: (of) => (copy ??= freezeTree({ source, inventory: of, folder })),
        runCommands: (given, stop) =>
          runProjectCommands({
            ...given,
            root: place.root,
            scratch: join(folder, '..', 'scratch'),
            runProgram: (program) => runProgram({ ...program, stop }),
          }),
        enrich: (given, stop) => enrichWithFound(given, { root: place.root, folder, cache, stop }),
        cache,
        readHistory: (commit) => readGitHistory(place.root, commit),
        earlierResults: (wanted, settings) =>
          resultsOfOtherAudits(work, owned.audit, wanted, settings),
        isOfEarlierAudit: (packet) => isOfAnotherAudit(work, owned.audit, packet),
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
    providers = await providersOf(work, session.engine.published());
    return await conductAudit({ ...work, session, signals, files });
  } finally {
    signals.release();
  }
};

/** The bundled analyzers, and programs of this machine that the operator has consented to. */
const enrichWithFound = async (
  given: Parameters<SessionParts['enrich']>[0],
  here: {
    readonly root: string;
    readonly folder: string;
    readonly cache: ContentCache;
    readonly stop: AbortSignal;
  },
): Promise<Enrichment> => {
  const scratch = join(here.folder, '..', 'scratch');
  const run: RunProgram = (program) => runProgram({ ...program, stop: here.stop });
  const known = await enrich({ ...given, cache: here.cache, scratch, run });
  if (given.consent.length === 0) return known;
  const { root } = here;
  const found = {
    programs: findTools(process.env['PATH'], root),
    consent: given.consent,
    root,
    environment: process.env,
    runProgram: run,
  };
  return runFoundTools(known, found, { ...given, scratch });
};

const own = async ({ disk, clock, place, goesOn, seen, flags, waitForOwnerMs }: Work) => {
  const takeOver = flags.takeOver === true;
  if (goesOn === undefined) return createAudit(disk, place, clock, seen, takeOver);
  const { audit } = goesOn;
  const wait = waitForOwnerMs === undefined ? undefined : { waitMs: waitForOwnerMs, clock };
  const owned = await ownAudit(disk, place, audit, takeOver, wait);
  return { audit, begun: () => Promise.resolve(), ...owned };
};

/** The provider of this call, and those whose attempts an earlier process left open. */
const providersOf = async (
  { provider, flags, disk, clock }: Work,
  state: AuditState,
): Promise<ReadonlyMap<ProviderId, Provider>> => {
  const providers = new Map([[provider.id, provider]]);
  for (const token of state.leases) {
    const id = state.attempts.get(token)?.provider;
    if (id === undefined || providers.has(id)) continue;
    // A2: what they started is adopted or told to be lost; without their program nothing new starts.
    providers.set(id, await createProvider(id, { ...flags, planOnly: true }, { disk, clock }));
  }
  return providers;
};

/** Of audits that came before this one, the newest first; an audit that goes on inherits from no later one. */
const resultsOfOtherAudits = async (
  { disk, place, progress }: Work,
  audit: AuditId,
  wanted: ReadonlySet<TaskId>,
  settings: Settings,
) => {
  const before = (await listAudits(disk, place)).filter((other) => other < audit).toReversed();
  const audits: { readonly audit: AuditId; readonly directory: string }[] = [];
  const leaveOut = (other: AuditId, reason: string): void =>
    progress.note(`Nothing is taken over from audit ${other}, which is not sound. ${reason}`);
  for (const other of before) {
    const files = auditFiles(place.stateDirectory, other);
    const link = await linkedFolder(place.stateDirectory, files);
    if (link === undefined) audits.push({ audit: other, directory: files.directory });
    else leaveOut(other, `${link} is a link.`);
  }
  const { results, unusable } = await readEarlierResults({ disk, audits, wanted, settings });
  for (const { audit: other, reason } of unusable) leaveOut(other, reason);
  return results;
};

const isOfAnotherAudit = async (
  { disk, place }: Work,
  audit: AuditId,
  packet: string,
): Promise<boolean> => {
  for (const id of (await listAudits(disk, place)).filter((other) => other !== audit)) {
    const other = await readAudit(disk, place, id).catch(() => undefined);
    if (other?.state.packets.has(packet as PacketId) === true) return true;
  }
  return false;
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
  settings: {
    ...newSettings(flags, provider),
    // Recorded, since whoever goes on with the audit must not ask less than was asked for.
    ...(flags.fresh === true && provider.reviewer === 'agent' && { inherits: false }),
  },
  tool: { name: 'casefile', version: TOOL_VERSION },
  schema: { log: LOG_VERSION, answer: ANSWER_VERSION },
});
