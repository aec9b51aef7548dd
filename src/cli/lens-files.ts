import { join, resolve } from 'node:path';
import { z } from 'zod';
import {
  GUIDE_LENGTH_MAX,
  lensDefinition,
  OWN_LENSES_MAX,
  type LensDefinition,
} from '../domain/lens-definition.ts';
import { issueSentence } from '../domain/schema-issue.ts';
import { FILE_ROLES, fileRole, isBundledLens, LENSES, type Lens } from '../domain/vocabulary.ts';
import { messageOf } from '../std/message-of.ts';
import { readSettingsFile, userFolder } from './configuration-files.ts';

/** Where lenses lie that are known by their name alone. */
export const lensFolder = (): string => join(userFolder(), 'lenses');

/**
 * Reads the lenses of the operator's own that are asked for: files that were named, and those of the
 * user's folder. A lens file is Markdown; what it says goes into prompts as it stands. Before it may
 * stand, between lines of three dashes, what it is asked of:
 *
 *     ---
 *     roles: [code, config]
 *     paths: [src/payments/]
 *     ---
 *     money that is lost, doubled or rounded: ...
 *
 * @param lenses all that are asked for. @param files those that were named as files.
 * @returns the definitions, or what is wrong, a clause each that begins with the file.
 */
export const readLenses = async (
  lenses: readonly Lens[],
  files: ReadonlyMap<Lens, string>,
): Promise<{ readonly own: readonly LensDefinition[]; readonly problems: readonly string[] }> => {
  const own: LensDefinition[] = [];
  const problems: string[] = [];
  const named = lenses.filter((one) => !isBundledLens(one));
  if (named.length > OWN_LENSES_MAX) {
    problems.push(
      `${named.length} lenses of your own are asked for at once; ${OWN_LENSES_MAX} may be`,
    );
    return { own, problems };
  }
  for (const lens of named) {
    const given = files.get(lens);
    const read = await readLens(lens, resolve(given ?? join(lensFolder(), `${lens}.md`)));
    if (read.kind === 'read') own.push(read.lens);
    else if (read.kind === 'absent' && given === undefined) problems.push(unknownLens(lens));
    else
      problems.push(
        `${given ?? read.path}: it ${read.kind === 'absent' ? 'does not exist' : read.why}`,
      );
  }
  return { own, problems };
};

const unknownLens = (lens: Lens): string =>
  `there is no lens "${lens}": lenses are ${LENSES.join(', ')}, and files of your own as ${lensFolder()}/${lens}.md or --lenses ./${lens}.md`;

type Read =
  | { readonly kind: 'read'; readonly lens: LensDefinition }
  | { readonly kind: 'absent'; readonly path: string }
  /** A clause after "it". */
  | { readonly kind: 'refused'; readonly path: string; readonly why: string };

const readLens = async (id: Lens, path: string): Promise<Read> => {
  const found = await readSettingsFile(path, true);
  if (found.kind === 'absent') return { kind: 'absent', path };
  if (found.kind === 'refused') return { kind: 'refused', path, why: found.why };
  const refused = (why: string): Read => ({ kind: 'refused', path, why });
  const { head, guide } = parted(found.text);
  if (head === undefined && guide.startsWith('---\n')) {
    return refused('begins with a line of three dashes, and no second one ends the heading');
  }
  let said: unknown;
  try {
    // Few lenses have a heading, and most calls have no lens of their own.
    said = head === undefined ? {} : ((await import('yaml')).parse(head) ?? {});
  } catch (error) {
    return refused(`has a heading that is no YAML: ${messageOf(error).split('\n')[0] ?? ''}`);
  }
  const asked = header.safeParse(said, { reportInput: true });
  if (!asked.success) {
    const [issue] = asked.error.issues;
    const what = issue === undefined ? '' : `, in which ${issueSentence(issue, 'the heading')}`;
    return refused(`has a heading that cannot be used${what.replace(/\.$/, '')}; ${HEADING_RULE}`);
  }
  if (guide === '') return refused('says nothing to look for');
  if (guide.length > GUIDE_LENGTH_MAX) {
    return refused(`has ${guide.length} characters; a lens has at most ${GUIDE_LENGTH_MAX}`);
  }
  const { roles = [...FILE_ROLES], paths } = asked.data;
  return {
    kind: 'read',
    lens: lensDefinition.parse({ id, guide, roles, ...(paths && { paths }) }),
  };
};

const HEADING_RULE = `it may say "roles", an array of ${FILE_ROLES.join(', ')}, and "paths", an array of patterns as in .gitignore`;

const header = z.strictObject({
  roles: z.array(fileRole).min(1).optional(),
  paths: z.array(z.string().regex(/\S/)).min(1).optional(),
});

/** What stands between the first two lines of dashes, and the text after it. */
const parted = (text: string): { readonly head?: string; readonly guide: string } => {
  const plain = text.replaceAll('\r\n', '\n');
  const [, head, guide] = /^---\n(?:([^]*?)\n)?---(?:\n|$)([^]*)$/.exec(plain) ?? [];
  return guide === undefined ? { guide: plain.trim() } : { head: head ?? '', guide: guide.trim() };
};
