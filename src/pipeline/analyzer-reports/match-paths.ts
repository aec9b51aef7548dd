import { compareText } from '../../std/canonical-json.ts';
import { reportedPath } from './reported-path.ts';

/** The file of the inventory that a tool's path names, or why there is none. */
export type MatchedPath =
  | { readonly kind: 'matched'; readonly path: string }
  /** It leads out of where the tool ran, or cannot be the name of a file. */
  | { readonly kind: 'outside' }
  /** No file of the audit is called so. */
  | { readonly kind: 'unknown' };

/**
 * Finds the files that a report is about. Tools write paths as they stand on the machine where they ran, or
 * from the folder where they ran; so all paths of a run are looked at together.
 *
 *     relative   the file of that name; where no path of the run is one, the tool ran in a folder below
 *                (the only file that ends so) or above (as below, by two folders or more)
 *     absolute   without the folder that holds the repository on that machine: it is the one under
 *                which most of the paths are files here, each by its longest end that is one
 *
 * Only files of the inventory come out, whatever the report says. The cost grows with the paths.
 */
export const createPathMatcher = (
  files: readonly string[],
): ((reported: readonly string[]) => ReadonlyMap<string, MatchedPath>) => {
  const known = new Set(files);
  const byName = new Map<string, string[]>();
  for (const file of files) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [file]);
    else same.push(file);
  }

  /** The only file whose path ends with these segments: the tool ran in a folder below. */
  const below = (segments: readonly string[]): string | undefined => {
    const path = segments.join('/');
    const same = byName.get(segments.at(-1) ?? '') ?? [];
    if (same.length > SAME_NAME_MAX) return undefined;
    const fitting = same.filter((file) => file.endsWith(`/${path}`));
    return fitting.length === 1 ? fitting[0] : undefined;
  };

  return (reported) => {
    const matched = new Map<string, MatchedPath>();
    const absolute: Unplaced[] = [];
    const relative: Unplaced[] = [];
    let isRunHere = false;
    for (const given of new Set(reported)) {
      const path = reportedPath(given);
      if (path === undefined) matched.set(given, { kind: 'outside' });
      else if (path.isAbsolute) absolute.push({ given, segments: path.segments });
      else {
        const same = path.segments.join('/');
        if (known.has(same)) {
          matched.set(given, { kind: 'matched', path: same });
          isRunHere = true;
        } else relative.push({ given, segments: path.segments });
      }
    }
    const take = ({ given }: Unplaced, path: string | undefined): void => {
      matched.set(given, path === undefined ? { kind: 'unknown' } : { kind: 'matched', path });
    };
    const inRoot = pathsInRoot(absolute, known, 1);
    for (const one of absolute) take(one, inRoot(one));
    const inFolder = isRunHere ? () => undefined : pathsInRoot(relative, known, 2);
    for (const one of relative) {
      take(one, isRunHere ? undefined : (inFolder(one) ?? below(one.segments)));
    }
    return matched;
  };
};

type Unplaced = { readonly given: string; readonly segments: readonly string[] };

/** More files of one name are not looked through for each path of a report. */
const SAME_NAME_MAX = 100;
/** Ends of more folders than this are not tried. */
const FOLDERS_MAX = 64;
/** What lies in these was installed: its `index.js` is none of the repository's. */
const INSTALLED = /^(?:node_modules|site-packages|dist-packages|bower_components|\.venv)$/;

/**
 * Tells which file of ours a path is, when the root that most of the paths vote for is taken off. A path
 * votes with its longest end that is a file here, and a longer end is a heavier vote: an `index.js`
 * stands in many places.
 *
 * @param endMin so many segments an end must have to be a vote.
 */
const pathsInRoot = (
  paths: readonly Unplaced[],
  known: ReadonlySet<string>,
  endMin: number,
): ((path: Unplaced) => string | undefined) => {
  const votes = new Map<string, number>();
  for (const { segments } of paths) {
    const from = Math.max(1, segments.length - FOLDERS_MAX);
    for (let at = from; at <= segments.length - endMin; at += 1) {
      if (!known.has(segments.slice(at).join('/'))) continue;
      if (segments.slice(0, at).some((segment) => INSTALLED.test(segment))) break;
      const root = segments.slice(0, at).join('/');
      votes.set(root, (votes.get(root) ?? 0) + segments.length - at);
      break;
    }
  }
  const [best] = [...votes].toSorted(
    ([one, weight], [other, heavier]) =>
      heavier - weight || one.length - other.length || compareText(one, other),
  );
  if (best === undefined) return () => undefined;
  const root = best[0].split('/');
  return ({ segments }) => {
    if (!root.every((segment, index) => segments[index] === segment)) return undefined;
    const path = segments.slice(root.length).join('/');
    return known.has(path) ? path : undefined;
  };
};
