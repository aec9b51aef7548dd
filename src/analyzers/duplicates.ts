import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IClone, IMapFrame, IStore, IToken } from '@jscpd/core';
import { compareText } from '../std/canonical-json.ts';
import { textOf } from '../pipeline/content.ts';
import type { Duplicate } from '../pipeline/design/duplication.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import { roleOf } from '../pipeline/lens-selection.ts';
import { isDeclarationFile, isTrialPath } from '../pipeline/shape/path-kinds.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import { NO_CACHE, type ContentCache } from '../platform/content-cache.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import type { Analysis } from './analyzer.ts';
import { keptComparison, type Compared, type ComparedFile } from './kept-duplicates.ts';

/** Fewer are what two people write who have the same to say. */
const TOKENS_MIN = 100;
const LINES_MIN = 12;
/** The detector takes about two seconds a megabyte, so the largest files go first and then it ends. */
const BYTES_MAX = 1_000_000;
const FILE_BYTES_MAX = 150_000;
const DUPLICATES_MAX = 100;

/**
 * Equal stretches of code, but for white space and comments, in files that ship: tests and examples
 * repeat themselves on purpose. The detector says where to look; what it says of the ends of a stretch
 * may mix several places, so each is followed again, token by token, from its two beginnings.
 */
export const findDuplicates = async (given: {
  readonly tree: Pick<FrozenTree, 'read'>;
  readonly files: readonly InventoryFile[];
  /** The same files have the same duplicates. */
  readonly cache?: ContentCache;
}): Promise<Analysis & { readonly duplicates: readonly Duplicate[] }> => {
  const { tree, cache = NO_CACHE } = given;
  const shipped = given.files.filter(isShipped);
  const long = shipped.filter(({ lines }) => lines >= LINES_MIN);
  // Its grammars take long to load, and in a small tree there is nothing for them.
  const jscpd = long.length === 0 ? undefined : await loadJscpd();
  const { chosen, left } = jscpd === undefined ? NOTHING : choose(long, jscpd);
  const { duplicates, failed } =
    jscpd === undefined
      ? NOTHING
      : await keptComparison(cache, chosen, () => compare(tree, chosen, jscpd));
  const unchecked = [...left, ...failed].toSorted(compareText);
  return {
    run: {
      name: 'jscpd',
      version: '4',
      lenses: ['maintainability'],
      files: shipped.length - long.length + chosen.length - failed.length,
      status: unchecked.length === 0 ? 'done' : 'partial',
      unchecked,
    },
    leads: [],
    incomplete: [],
    duplicates,
  };
};

const NOTHING = { chosen: [], left: [], duplicates: [], failed: [] };

const loadJscpd = async () => ({
  ...(await import('@jscpd/core')),
  ...(await import('@jscpd/tokenizer')),
});
type Jscpd = Awaited<ReturnType<typeof loadJscpd>>;

const isShipped = (file: InventoryFile): boolean =>
  roleOf(file) === 'code' && !isTrialPath(file.path) && !isDeclarationFile(file.path);

const compare = async (
  tree: Pick<FrozenTree, 'read'>,
  chosen: readonly ComparedFile[],
  jscpd: Jscpd,
): Promise<Compared & { readonly isWhole: boolean }> => {
  const options = {
    minLines: LINES_MIN,
    minTokens: TOKENS_MIN,
    maxLines: Number.MAX_SAFE_INTEGER,
    mode: jscpd.weak,
    hashFunction: shortDigest,
  };
  const detector = new jscpd.Detector(new jscpd.Tokenizer(), createStore(), [], options);
  const texts = new Map<string, { readonly text: string; readonly format: string }>();
  const clones: IClone[] = [];
  const failed: string[] = [];
  let isWhole = true;
  for (const { path, format, digest } of chosen) {
    await nextTurn();
    const bytes = await tree.read(path).catch(() => undefined);
    if (bytes === undefined || digestOfBytes(bytes) !== digest) isWhole = false;
    try {
      if (bytes === undefined) throw NOT_FOUND;
      const text = textOf(bytes);
      clones.push(...(await detector.detect(path, text, format)));
      texts.set(path, { text, format });
    } catch {
      // What cannot be read or taken apart is compared with nothing, and counted so.
      failed.push(path);
    }
  }
  const follow = createFollower(texts, jscpd);
  const duplicates = clones
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
    .slice(0, 3 * DUPLICATES_MAX)
    .flatMap((clone) => follow(clone) ?? [])
    .toSorted(byLength)
    .slice(0, DUPLICATES_MAX);
  return { duplicates, failed, isWhole };
};

const choose = (
  files: readonly InventoryFile[],
  { getFormatByFile }: Jscpd,
): { readonly chosen: readonly ComparedFile[]; readonly left: readonly string[] } => {
  const candidates = files
    .flatMap((file) => {
      const format = getFormatByFile(file.path);
      return format === undefined ? [] : [{ ...file, format }];
    })
    .toSorted((one, other) => other.size - one.size || compareText(one.path, other.path));
  const chosen: ComparedFile[] = [];
  const left: string[] = [];
  let bytes = 0;
  for (const { path, format, size, digest } of candidates) {
    if (size > FILE_BYTES_MAX || bytes + size > BYTES_MAX) left.push(path);
    else {
      bytes += size;
      chosen.push({ path, format, digest });
    }
  }
  return {
    chosen: chosen.toSorted((one, other) => compareText(one.path, other.path)),
    left,
  };
};

/** The tokenizer cuts digests of tokens to twenty characters and expects no fewer. */
const shortDigest = (value: string): string => createHash('sha256').update(value).digest('base64');

/** As the detector's own, without an object that grows by names from the repository. */
const createStore = (): IStore<IMapFrame> => {
  const spaces = new Map<string, Map<string, IMapFrame>>();
  let space = new Map<string, IMapFrame>();
  return {
    namespace: (name) => {
      space = spaces.get(name) ?? new Map<string, IMapFrame>();
      spaces.set(name, space);
    },
    get: async (key) => {
      const found = space.get(key);
      if (found === undefined) throw NOT_FOUND;
      return found;
    },
    set: async (key, value) => {
      space.set(key, value);
      return value;
    },
    close: () => {},
  };
};

/** One for all, since making the trace of an error for each new token is most of the work. */
const NOT_FOUND = new Error('not found');

const lengthOf = ({ duplicationA: { start, end } }: IClone): number => end.line - start.line;

const createFollower = (
  texts: ReadonlyMap<string, { readonly text: string; readonly format: string }>,
  { tokenize, weak }: Jscpd,
): ((clone: IClone) => Duplicate | undefined) => {
  const tokens = new Map<string, readonly IToken[]>();
  const tokensOf = (path: string): readonly IToken[] => {
    let known = tokens.get(path);
    if (known === undefined) {
      const { text = '', format = '' } = texts.get(path) ?? {};
      known = tokenize(text, format).filter((token) => weak(token) && token.value.trim() !== '');
      tokens.set(path, known);
    }
    return known;
  };
  return ({ duplicationA, duplicationB }) => {
    const [one, other] = [duplicationA, duplicationB].toSorted(
      (left, right) => compareText(left.sourceId, right.sourceId) || left.range[0] - right.range[0],
    );
    if (one === undefined || other === undefined) return undefined;
    const [left, right] = [tokensOf(one.sourceId), tokensOf(other.sourceId)];
    let leftStart = left.findIndex(({ range }) => range[0] >= one.range[0]);
    let rightStart = right.findIndex(({ range }) => range[0] >= other.range[0]);
    if (leftStart === -1 || rightStart === -1) return undefined;
    // The semicolon behind something else is no beginning.
    while (isInsideOfLine(left, leftStart)) {
      leftStart += 1;
      rightStart += 1;
    }
    const isSameFile = one.sourceId === other.sourceId;
    let count = 0;
    while (
      left[leftStart + count]?.value !== undefined &&
      left[leftStart + count]?.value === right[rightStart + count]?.value &&
      !(isSameFile && leftStart + count >= rightStart)
    ) {
      count += 1;
    }
    const first = stretchOf(one.sourceId, left[leftStart], left[leftStart + count - 1]);
    const second = stretchOf(other.sourceId, right[rightStart], right[rightStart + count - 1]);
    if (count < TOKENS_MIN || first === undefined || second === undefined) return undefined;
    const isLong = ({ line, endLine }: Duplicate['first']): boolean =>
      endLine - line + 1 >= LINES_MIN;
    return isLong(first) && isLong(second) ? { first, second, tokens: count } : undefined;
  };
};

const isInsideOfLine = (tokens: readonly IToken[], at: number): boolean => {
  const line = tokens[at]?.loc?.start.line;
  return line !== undefined && tokens[at - 1]?.loc?.start.line === line;
};

const stretchOf = (
  path: string,
  first: IToken | undefined,
  last: IToken | undefined,
): Duplicate['first'] | undefined => {
  const line = first?.loc?.start.line;
  const endLine = last?.loc?.end.line;
  return line === undefined || endLine === undefined ? undefined : { path, line, endLine };
};

const byLength = (one: Duplicate, other: Duplicate): number =>
  other.tokens - one.tokens ||
  compareText(one.first.path, other.first.path) ||
  one.first.line - other.first.line ||
  compareText(one.second.path, other.second.path) ||
  one.second.line - other.second.line;
