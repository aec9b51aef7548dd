import { includesConsent } from '../domain/consent.ts';
import { UsageError } from '../domain/usage-error.ts';
import { findTools } from '../analyzers/found/found-tools.ts';
import { takeInventory } from '../analyzers/take-inventory.ts';
import { createSystemClock } from '../platform/clock.ts';
import { isWithin } from '../platform/is-within.ts';
import { createSourceTree } from '../platform/git-source-tree.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import type { Provider } from '../providers/provider.ts';
import { counted } from '../std/counted.ts';
import { contradicts } from './asking.ts';
import { chosenAudit, newestFolder, type Place, type ReadAudit } from './locate.ts';
import { isNews } from './intake.ts';
import type { Progress } from './progress.ts';
import { refuseEmptyQuestion } from './refuse-empty.ts';
import {
  askedWords,
  chooseAudit,
  hasBegun,
  newestWorked,
  openingWords,
  type Choice,
} from './choose-audit.ts';
import { isDriftKnown } from './conduct-audit.ts';
import { createProvider } from './provide.ts';
import type { InputFile } from './read-inputs.ts';
import { resolveSelection, selectionNotice } from './resolve-selection.ts';
import type { RunFlags, RunResult } from './run-result.ts';
import { mendTail } from './torn-tail.ts';
import { isAnswered, isAtRest, isLeftAlone, unchangedResult } from './unchanged-audit.ts';
import { workOnAudit } from './work-on-audit.ts';
import type { Visit } from './work.ts';

/** A call of `run`, `plan` or `next`, where it differs from a plain run. */
export type RunCall = Pick<
  Visit,
  'waitForOwnerMs' | 'startsNothing' | 'restsAtPlan' | 'onReceived' | 'ask'
> & {
  /** The audit that the call is about, whatever it asks; undefined: the one that answers it. */
  readonly audit?: string | undefined;
  /** What is handed in with the call. */
  readonly inputs?: readonly InputFile[] | undefined;
  /** An audit that is blocked as it was is left alone: no epoch is claimed for nothing. */
  readonly mayRest?: boolean | undefined;
};

/** Everything of `run` but printing; `plan` and `next` use it too. */
export const runAudit = async (
  place: Place,
  given: RunFlags,
  progress: Progress,
  call: RunCall = {},
): Promise<RunResult> => {
  refuseTwoWays(given, call);
  const disk = createNodeDisk();
  const clock = createSystemClock();
  const seen = await newestFolder(disk, place);
  const newest = given.fresh === true ? undefined : await newestWorked(disk, place);
  const unfinished = newest?.state.completed === undefined ? newest : undefined;
  const named = call.audit === undefined ? undefined : await chosenAudit(disk, place, call.audit);
  // What was only planned binds nobody.
  const begun =
    named ?? (unfinished !== undefined && hasBegun(unfinished.state) ? unfinished : undefined);
  const providerId = given.provider ?? begun?.state.settings?.provider ?? 'builtin';

  const source = createSourceTree(place.root);
  refuseForeignState(place, newest, source.name);
  const inventory = await takeInventory(source);
  if (inventory.files.length === 0) {
    throw new UsageError(
      `${place.root} holds no files to audit.`,
      'Name a folder with files in it.',
    );
  }
  const selection = await resolveSelection(place.root, given, inventory);
  const flags = { ...given, selection, isAboutNewest: call.mayRest };
  const unchanged = async (audit: ReadAudit): Promise<RunResult> =>
    unchangedResult(
      audit.tail.kind === 'clean' || flags.planOnly === true
        ? audit
        : await mendTail(place, audit, { disk, clock, flags, note: progress.note }),
      place,
      flags,
    );
  const isNew = flags.fresh === true || flags.again === true;
  const isAsked = call.audit === undefined && newest !== undefined && !isNew;
  const answered = isAsked && isAnswered(newest, flags, inventory) ? newest : undefined;
  // What a finished audit has not seen is recorded as late, also what a killed process left held.
  const news = ({ state }: ReadAudit): boolean =>
    !isAtRest(state) || (call.inputs ?? []).some((input) => isNews(state, input));
  if (answered !== undefined && !news(answered)) return unchanged(answered);
  const provider = await createProvider(providerId, flags, { disk, clock });
  if (named !== undefined) refuseOtherQuestion(named, flags, provider);
  const choice: Choice =
    named !== undefined
      ? namedChoice(named)
      : isNew
        ? { kind: 'new' }
        : await chooseAudit(disk, place, {
            // Whoever asks for work is told as well that other agents have done it.
            asked: call.mayRest === true ? { ...flags, provider: undefined } : flags,
            provider,
            inventory,
          });
  if (choice.kind === 'answered' && !news(choice.audit)) return unchanged(choice.audit);
  const goesOn =
    choice.kind === 'new' || isPlannedWithout(choice.audit, call.inputs) ? undefined : choice.audit;
  if (call.mayRest === true && goesOn !== undefined) {
    if (await isLeftAlone(goesOn, { flags, provider, inventory })) return unchanged(goesOn);
  }
  // A plan that is there is looked at and nothing more: somebody may be working on it.
  if (flags.planOnly === true && goesOn?.state.obligations.get('planning')?.state === 'current') {
    progress.note(await lookingWords(goesOn, inventory));
    return unchanged(goesOn);
  }
  if (goesOn === undefined) refuseEmptyQuestion(inventory, flags, provider);
  const opening = openingWords(newest, goesOn, flags.again === true);
  if (opening !== undefined) progress.note(opening);
  const notice = selectionNotice(selection);
  if (notice !== undefined) progress.note(notice);
  const hint = consentHint(place, flags, goesOn);
  if (hint !== undefined) progress.note(hint);
  progress.countPast(goesOn?.commits ?? []);

  return workOnAudit({
    place,
    disk,
    clock,
    source,
    inventory,
    provider,
    flags,
    progress,
    goesOn,
    seen,
    ...call,
  });
};

/** What people are told of analyzers on their machine that could look too, or of a consent that comes too late. */
const consentHint = (
  { root }: Place,
  { consent = [] }: RunFlags,
  goesOn: ReadAudit | undefined,
): string | undefined => {
  const given = goesOn?.state.settings?.consent;
  if (given !== undefined) {
    return includesConsent(given, consent)
      ? undefined
      : 'This audit began without that consent, so nothing of it is run. A new one runs it: casefile run --again --consent …';
  }
  const found = [...findTools(process.env['PATH'], root).keys()];
  const isAsked = consent.some((word) => word.startsWith('analyzers'));
  if (isAsked || found.length === 0) return undefined;
  return `Found on this machine: ${found.join(', ')}. With --consent analyzers they look at the repository too, offline and with settings of ours.`;
};

/** Analyzers ask about what a report is about: a plan that was made before it, and binds nobody, is made anew. */
const isPlannedWithout = ({ state }: ReadAudit, inputs: RunCall['inputs'] = []): boolean =>
  state.settings?.reviewer === 'analyzers' &&
  !hasBegun(state) &&
  state.completed === undefined &&
  inputs.some(({ kind }) => kind === 'analyzer-results');

/** What people are told of an audit whose plan they look at. */
const lookingWords = async (audit: ReadAudit, inventory: Inventory): Promise<string> => {
  const { settings, counts } = audit.state;
  const asked = settings === undefined ? '' : ` (${askedWords(settings)})`;
  const drift = (await isDriftKnown(audit, inventory))
    ? ''
    : ' Files have changed since it began: casefile run tells which tasks that makes stale.';
  return `Audit ${audit.audit}${asked} is at this already, with ${counted(counts.tasks.open, 'task')} open.${drift}`;
};

const refuseTwoWays = ({ fresh, again }: RunFlags, { audit }: RunCall): void => {
  if (audit !== undefined && (fresh === true || again === true)) {
    throw new UsageError(
      `--audit and --${fresh === true ? 'fresh' : 'again'} exclude each other: one names an audit that is there, the other begins a new one.`,
      'Give one of them.',
    );
  }
  if (fresh !== true || again !== true) return;
  throw new UsageError(
    '--fresh and --again exclude each other: one asks everything anew, the other only what no audit has answered.',
    'Give one of them.',
  );
};

/** Nobody means to turn an audit by analyzers into one by an agent, or to ask it under other lenses. */
const refuseOtherQuestion = (named: ReadAudit, flags: RunFlags, provider: Provider): void => {
  const { settings } = named.state;
  if (settings === undefined || !contradicts(flags, settings, provider)) return;
  throw new UsageError(
    `Audit ${named.audit} asks something else (${askedWords(settings)}).`,
    'Leave out --audit to find or begin the audit that asks this, or leave out what differs from it.',
  );
};

const namedChoice = (audit: ReadAudit): Choice =>
  audit.state.completed === undefined ? { kind: 'goes-on', audit } : { kind: 'answered', audit };

/** A state directory of its own may be shared by mistake; a log does not know where its root lies. */
const refuseForeignState = (place: Place, newest: ReadAudit | undefined, name: string): void => {
  const known = newest?.state.opened?.root.name;
  if (known === undefined || known === name || isWithin(place.stateDirectory, place.root)) return;
  throw new UsageError(
    `The state directory ${place.stateDirectory} holds audits of "${known}", and this is "${name}".`,
    'Choose another one with --state-dir, or begin anew there with --fresh.',
  );
};
