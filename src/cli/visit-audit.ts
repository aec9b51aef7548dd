import { UsageError } from '../domain/usage-error.ts';
import { takeInventory } from '../analyzers/take-inventory.ts';
import { createSystemClock } from '../platform/clock.ts';
import { createSourceTree } from '../platform/git-source-tree.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import { chosenAudit, locate, type Place, type ReadAudit } from './locate.ts';
import type { Progress } from './progress.ts';
import { createProvider } from './provide.ts';
import type { RunResult } from './run-result.ts';
import { workOnAudit } from './work-on-audit.ts';
import { WAIT_FOR_OWNER_MS, type Visit } from './work.ts';

export type VisitFlags = {
  readonly root?: string | undefined;
  readonly stateDir?: string | undefined;
  readonly audit?: string | undefined;
  readonly takeOver?: boolean | undefined;
  readonly json?: boolean | undefined;
};

/** Nothing of ours runs that could still answer: a signal ends a visit at once. */
const GRACE_MS = 0;

/** The audit that a call visits, as a reader sees it. */
export type Visited = { readonly place: Place; readonly audit: ReadAudit };

/** Finds the audit that flags choose. @throws {UsageError} when there is none. */
export const findVisited = async (flags: VisitFlags): Promise<Visited> => {
  const place = await locate(flags.root, flags.stateDir);
  return { place, audit: await chosenAudit(createNodeDisk(), place, flags.audit) };
};

/**
 * Says something to an audit that is there, and takes it as far as it goes without starting anything:
 * what `ingest`, `import` and `answer` do. While another process has it, 5 s are waited (W5).
 */
export const visitAudit = async (
  { place, audit }: Visited,
  flags: VisitFlags,
  progress: Progress,
  visit: Pick<Visit, 'inputs' | 'onReceived' | 'act' | 'ask'>,
): Promise<RunResult> => {
  const disk = createNodeDisk();
  const clock = createSystemClock();
  const source = createSourceTree(place.root);
  const { settings } = audit.state;
  if (settings === undefined) {
    throw new UsageError(`Audit ${audit.audit} has not begun.`, 'Begin it with: casefile run');
  }
  const runFlags = { grace: GRACE_MS, planOnly: true, takeOver: flags.takeOver };
  return workOnAudit({
    place,
    disk,
    clock,
    source,
    inventory: await takeInventory(source),
    provider: await createProvider(settings.provider, runFlags, { disk, clock }),
    flags: runFlags,
    progress,
    goesOn: audit,
    seen: undefined,
    waitForOwnerMs: WAIT_FOR_OWNER_MS,
    startsNothing: true,
    changesNothing: true,
    ...visit,
  });
};
