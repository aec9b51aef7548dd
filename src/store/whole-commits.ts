import { isWholeLine } from './commit-codec.ts';

/** A commit that was found by its bytes alone, not by where lines begin. */
export type WholeCommit = {
  readonly start: number;
  /** After the closing brace. */
  readonly end: number;
  readonly seq: number;
  readonly events: number;
  readonly durable: number;
};

const COMMIT_HEAD = Buffer.from('{"v":');
const CRC_HEAD = Buffer.from(',"crc":"');
/** From the comma before `crc` to the closing brace. */
const CRC_BYTES = CRC_HEAD.length + '00000000"}'.length;

/**
 * Every whole commit from `offset` on, looked for at each `{"v":`, whether or not a newline stands
 * before or after it (V1): a damaged newline glues lines, and the second is still evidence. Inside
 * of a commit's strings neither mark can stand, since quotes are escaped there.
 */
export function* wholeCommits(bytes: Buffer, offset: number): Generator<WholeCommit> {
  let start = bytes.indexOf(COMMIT_HEAD, offset);
  while (start >= 0) {
    const found = wholeCommitAt(bytes, start);
    if (found !== undefined) yield found;
    start = bytes.indexOf(COMMIT_HEAD, found?.end ?? start + 1);
  }
}

/** The largest `durable` of those commits; 0 when there are none. */
export const highestWholeMark = (bytes: Buffer, offset: number): number => {
  let highest = 0;
  for (const { durable } of wholeCommits(bytes, offset)) highest = Math.max(highest, durable);
  return highest;
};

const wholeCommitAt = (bytes: Buffer, start: number): WholeCommit | undefined => {
  const newline = bytes.indexOf(0x0a, start);
  const limit = newline < 0 ? bytes.length : newline;
  let head = bytes.indexOf(CRC_HEAD, start);
  while (head >= 0 && head + CRC_BYTES <= limit) {
    const end = head + CRC_BYTES;
    if (isWholeLine(bytes, start, end)) return describe(bytes, start, end);
    head = bytes.indexOf(CRC_HEAD, head + 1);
  }
  return undefined;
};

const describe = (bytes: Buffer, start: number, end: number): WholeCommit | undefined => {
  let value: { readonly seq?: unknown; readonly durable?: unknown; readonly events?: unknown };
  try {
    value = JSON.parse(bytes.toString('utf8', start, end)) as typeof value;
  } catch {
    return undefined;
  }
  const { seq, durable, events } = value;
  if (typeof seq !== 'number' || typeof durable !== 'number') return undefined;
  return { start, end, seq, durable, events: Array.isArray(events) ? events.length : 0 };
};
