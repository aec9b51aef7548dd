import { createSystemClock } from '../../platform/clock.ts';
import { createNodeDisk } from '../../platform/node-disk.ts';
import { counted } from '../../std/counted.ts';
import { byteWords } from '../byte-words.ts';
import { cleanAudits, type Cleaned, type Cleaning } from '../clean-audits.ts';
import { EXIT } from '../exit.ts';
import { locate } from '../locate.ts';
import { terminal } from '../terminal.ts';
import type { RootFlags } from './audits.ts';

export type GcFlags = RootFlags & {
  readonly dryRun?: boolean | undefined;
  readonly copies?: boolean | undefined;
  readonly keep?: number | undefined;
};

/** `casefile gc`: the only command that deletes anything of an audit; it says what, and asks nothing. */
export const gcCommand = async (root: string | undefined, flags: GcFlags): Promise<number> => {
  const place = await locate(root, flags.stateDir);
  const isDryRun = flags.dryRun === true;
  const cleaning = await cleanAudits(createNodeDisk(), createSystemClock(), place, {
    dryRun: isDryRun,
    onlyCopies: flags.copies === true,
    keep: flags.keep,
  });
  for (const notice of cleaning.notices) terminal.say(notice);
  const bytes = cleaning.removed.reduce((sum, one) => sum + one.bytes, 0);
  if (flags.json === true) terminal.json({ dryRun: isDryRun, bytes, ...cleaning });
  else terminal.answer(cleaningText(cleaning, bytes, isDryRun));
  return EXIT.fine;
};

const cleaningText = ({ removed, kept }: Cleaning, bytes: number, isDryRun: boolean): string => {
  const verb = isDryRun ? 'Would remove' : 'Removed';
  return [
    removed.length === 0
      ? 'There is nothing to remove.'
      : `${verb} ${counted(removed.length, 'folder')}, ${byteWords(bytes)}:`,
    ...linesOf(removed),
    ...kept.map(({ what, reason }) => `Left alone: ${what}. ${reason}`),
  ].join('\n');
};

/** A line for each kind of thing of an audit: an audit may have hundreds of scratch folders. */
const linesOf = (removed: readonly Cleaned[]): readonly string[] => {
  const groups = new Map<string, Cleaned[]>();
  for (const one of removed) {
    const key = `${KIND[one.kind]}${one.audit === undefined ? '' : ` of ${one.audit}`}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, [first, ...others]]) => {
    const size = byteWords([first, ...others].reduce((sum, one) => sum + (one?.bytes ?? 0), 0));
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `  ${key}  ${size}  ${first?.path ?? ''}${more}`;
  });
};

const KIND: Readonly<Record<Cleaned['kind'], string>> = {
  copy: 'frozen copy',
  scratch: 'scratch of ended attempts',
  audit: 'whole audit',
  leftover: 'what an earlier cleaning left behind',
};
