import { asksExactly, asksTheSame, isAnswerTo, type Asked } from './asking.ts';
import type { AuditState } from '../decider/state.ts';
import { selectionWords } from '../domain/selection.ts';
import type { Settings } from '../domain/settings.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import type { Disk } from '../platform/disk.ts';
import type { Provider } from '../providers/provider.ts';
import { listAudits, readAudit, type Place, type ReadAudit } from './locate.ts';

/** What a call of `run` or `plan` is about. */
export type Choice =
  /** A finished audit of this very tree has answered it. */
  | { readonly kind: 'answered'; readonly audit: ReadAudit }
  | { readonly kind: 'goes-on'; readonly audit: ReadAudit }
  | { readonly kind: 'new' };

/**
 * Finds the audit that answers what is asked, the newest first.
 *
 * One that somebody works on is found by what is said now; what is not said stays as it was, so
 * that nobody pays for a second audit by leaving out a flag. One that was only planned is found by
 * exactly what is asked: a plan is cheap, and must not narrow what a later run looks at. It is made
 * anew when the tree has changed, when agents have worked since, or when it inherits nothing: else work
 * would be paid for twice. A finished audit is found by exactly what is asked too, and ends the search:
 * what is older is history.
 *
 * @param provider of this call, once it is known; before, only its name is.
 */
export const chooseAudit = async (
  disk: Disk,
  place: Place,
  given: {
    readonly asked: Asked;
    readonly provider: Provider;
    readonly inventory: Inventory;
  },
): Promise<Choice> => {
  const { asked, provider, inventory } = given;
  let isWorkedSince = false;
  for (const id of (await listAudits(disk, place)).toReversed()) {
    const audit = await readAudit(disk, place, id);
    if (audit === undefined) continue;
    const { settings, opened, completed } = audit.state;
    if (settings === undefined || opened === undefined) continue;
    if (completed !== undefined) {
      const isSameProvider = asked.provider === undefined || asked.provider === settings.provider;
      isWorkedSince = true;
      if (!isAnswerTo(asked, settings) || !isSameProvider) continue;
      return opened.inputDigest === inventory.inputDigest
        ? { kind: 'answered', audit }
        : { kind: 'new' };
    }
    if (hasBegun(audit.state)) {
      if (asksTheSame(asked, settings, provider)) return { kind: 'goes-on', audit };
    } else if (
      asksExactly(asked, settings, provider) &&
      opened.inputDigest === inventory.inputDigest
    ) {
      const isOutdated = isWorkedSince || settings.inherits === false;
      if (settings.reviewer === 'analyzers' || !isOutdated) return { kind: 'goes-on', audit };
    }
    isWorkedSince ||= hasBegun(audit.state);
  }
  return { kind: 'new' };
};

/** The newest audit that is more than a plan; without one, the newest plan. */
export const newestWorked = async (disk: Disk, place: Place): Promise<ReadAudit | undefined> => {
  let newest: ReadAudit | undefined;
  for (const id of (await listAudits(disk, place)).toReversed()) {
    const audit = await readAudit(disk, place, id);
    if (audit === undefined) continue;
    if (hasBegun(audit.state) || audit.state.completed !== undefined) return audit;
    newest ??= audit;
  }
  return newest;
};

/** Attempts were started, answers handed in, or packets offered to others. */
export const hasBegun = ({ attempts, inputs, blocker }: AuditState): boolean =>
  attempts.size > 0 || inputs.size > 0 || blocker?.waitsFor === 'hand-off';

/** What an audit asks, for people. */
export const askedWords = ({
  provider,
  lenses,
  depth,
  components = [],
  include,
  exclude,
  selection,
}: Settings): string =>
  [
    `provider ${provider}`,
    `lenses ${lenses.join(', ')}`,
    ...(depth === undefined ? [] : [`depth ${depth}`]),
    ...(components.length === 0 ? [] : [`components ${components.join(', ')}`]),
    ...(include.length === 0 ? [] : [`only ${include.join(', ')}`]),
    ...(exclude.length === 0 ? [] : [`without ${exclude.join(', ')}`]),
    ...(selection === undefined ? [] : [`only ${selectionWords(selection)}`]),
  ].join('; ');

/** What people are told before anything is done; undefined when there is nothing to tell apart. */
export const openingWords = (
  newest: ReadAudit | undefined,
  goesOn: ReadAudit | undefined,
  isAgain = false,
): string | undefined => {
  if (goesOn !== undefined) {
    const { settings, counts } = goesOn.state;
    const { open, ...others } = counts.tasks;
    const total = Object.values(others).reduce((sum, count) => sum + count, open);
    const asked = settings === undefined ? 'not begun' : askedWords(settings);
    return `Going on with audit ${goesOn.audit} (${asked}): ${open} of ${total} tasks are open.`;
  }
  if (newest === undefined) return undefined;
  if (isAgain) {
    return `A new audit begins, and asks what none before it has answered. The newest one was ${newest.audit}.`;
  }
  const why =
    newest.state.completed === undefined
      ? 'it asks something else'
      : 'it is finished, and the tree or what is asked has changed';
  return `A new audit begins. The newest one was ${newest.audit}: ${why}.`;
};
