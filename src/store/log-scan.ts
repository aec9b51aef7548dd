import { lastNumberOf, LOG_START } from '../domain/commit.ts';
import type { Commit, LogPosition } from '../domain/commit.ts';
import type { EventNumber } from '../domain/ids.ts';
import type { Disk } from '../platform/disk.ts';
import { required } from '../std/assert.ts';
import { decodeLine, hashOfLine, isProblem } from './commit-codec.ts';
import { LogDamagedError, NewerLogError } from './event-store.ts';
import { listSegments } from './segments.ts';
import type { Segment } from './segments.ts';
import { highestWholeMark } from './whole-commits.ts';

/**
 * Reads a log from its start (or from the segment that holds `from`) to its first bad line and says
 * what that line is. Writes nothing.
 *
 *     ── good ──┬── bad line ── … ── whole commit, durable ≥ number expected   corruption (V1)
 *               └── bad line ── … ── nothing of that kind                      torn tail  (V2)
 *
 * A bad line is cut, changed, or a whole one with another number than the next. So the last line
 * twice is a tail: its copy is cut and nothing changes. A last line that lacks only its newline is a
 * tail as well: its sync cannot have ended, so nobody was told of it, and one rule is safer than two.
 * What no crash can leave behind is damage wherever it stands: a bad line before the last segment
 * (L5), a missing segment, a whole line that is no commit, a broken chain.
 */
export type ScanOptions = {
  readonly disk: Disk;
  /** The audit's folder. */
  readonly directory: string;
  /** Only commits from the one that holds this number on are visited (default: all). */
  readonly from?: EventNumber;
  /** Stop after the commit that holds this number; what follows is not looked at. */
  readonly until?: EventNumber;
  /** Compare each line's `prev` with the line before: the writer and `verify` do (L4). */
  readonly checkChain?: boolean;
  /** Called for each good commit, in order. */
  readonly visit?: (commit: Commit, file: string, line: number) => void;
};

export type LogPlace = {
  /** Relative to the audit's folder. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The number that the next event should have there. */
  readonly seq: EventNumber;
};

export type LogTail =
  | { readonly kind: 'clean' }
  | { readonly kind: 'torn'; readonly place: LogPlace; readonly bytes: number };

export type LogScan = {
  /** Where the good part ends. */
  readonly position: LogPosition;
  /** The writer of the last good commit; 0 when there is none. */
  readonly epoch: number;
  /** The highest durable mark of the good part (L2). */
  readonly mark: EventNumber;
  readonly tail: LogTail;
  /** The file to append to; undefined before the first. */
  readonly last: LastSegment | undefined;
};

export type LastSegment = Segment & {
  readonly bytes: Buffer;
  /** Length of its good part. */
  readonly goodBytes: number;
};

/**
 * @throws {LogMissingError} when there is no log.
 * @throws {LogDamagedError} at damage, after what stands before it was visited.
 * @throws {NewerLogError} at a line that a newer casefile wrote.
 */
export const scanLog = async (options: ScanOptions): Promise<LogScan> => {
  const { disk, directory, from = 1, until = Infinity, visit } = options;
  const segments = await listSegments(disk, directory);
  const start = Math.max(
    0,
    segments.findLastIndex((segment) => segment.first <= from),
  );
  const reader: Reader = {
    next: start === 0 ? 1 : required(segments[start], 'a found index has a segment').first,
    hash: LOG_START.hash,
    epoch: 0,
    mark: 0,
    isChained: options.checkChain === true && start === 0,
    checkChain: options.checkChain === true,
  };
  let last: LastSegment | undefined;
  let tail: LogTail = { kind: 'clean' };
  for (const [index, segment] of segments.entries()) {
    if (index < start) continue;
    if (reader.next > until) break;
    if (segment.first !== reader.next) throw gapBefore(segment, reader.next);
    const bytes = asBuffer(await disk.readFile(`${directory}/${segment.file}`));
    const reading = readSegment(bytes, segment, reader, until, (commit, line) => {
      if (lastNumberOf(commit) >= from) visit?.(commit, segment.file, line);
    });
    last = { ...segment, bytes, goodBytes: reading.end };
    if (reading.bad === undefined) continue;
    const { line, message } = reading.bad;
    const place = { file: segment.file, line, seq: reader.next };
    const isLast = index === segments.length - 1;
    const mark = isLast ? highestWholeMark(bytes, reading.end) : Infinity;
    if (mark >= reader.next) throw damage(message, place, mark);
    tail = { kind: 'torn', place, bytes: bytes.length - reading.end };
  }
  const position = { seq: reader.next - 1, hash: reader.hash };
  return { position, epoch: reader.epoch, mark: reader.mark, tail, last };
};

/** What is carried from line to line. */
type Reader = {
  next: EventNumber;
  hash: string;
  epoch: number;
  mark: EventNumber;
  /** Whether `hash` is known to be that of the line before. */
  isChained: boolean;
  readonly checkChain: boolean;
};

type SegmentReading = {
  /** Where the good part ends. */
  readonly end: number;
  readonly bad?: { readonly line: number; readonly message: string };
};

const readSegment = (
  bytes: Buffer,
  { file }: Segment,
  reader: Reader,
  until: number,
  visit: (commit: Commit, line: number) => void,
): SegmentReading => {
  let offset = 0;
  let previous = 0;
  let bad: SegmentReading['bad'];
  for (let line = 1; offset < bytes.length && reader.next <= until; line += 1) {
    const end = bytes.indexOf(0x0a, offset);
    if (end < 0) {
      bad = { line, message: 'The line has no end.' };
      break;
    }
    const commit = decodeLine(bytes, offset, end);
    if (isProblem(commit)) {
      const place = { file, line, seq: reader.next };
      if (commit.problem === 'newer') throw new NewerLogError(`${at(place)}: ${commit.message}`);
      if (commit.problem === 'unfit') throw damage(commit.message, place);
      bad = { line, message: commit.message };
      break;
    }
    if (commit.seq !== reader.next) {
      bad = { line, message: `The line has number ${commit.seq}.` };
      break;
    }
    if (reader.checkChain) {
      if (reader.isChained && !reader.hash.startsWith(commit.prev)) {
        const place = { file, line, seq: reader.next };
        throw damage('L4: the line does not follow from the one before it.', place);
      }
      reader.hash = hashOfLine(bytes, offset, end);
      reader.isChained = true;
    }
    visit(commit, line);
    reader.next = lastNumberOf(commit) + 1;
    reader.epoch = commit.epoch;
    reader.mark = commit.durable;
    previous = offset;
    offset = end + 1;
  }
  // Readers need the hash of the last line alone.
  if (offset > 0) reader.hash = hashOfLine(bytes, previous, offset - 1);
  return bad === undefined ? { end: offset } : { end: offset, bad };
};

const gapBefore = (segment: Segment, next: EventNumber): LogDamagedError => {
  const place = { file: segment.file, line: 1, seq: next };
  return damage(`A segment is missing: this one begins at ${segment.first}.`, place);
};

const damage = (message: string, place: LogPlace, mark?: number): LogDamagedError => {
  const reason =
    mark === undefined
      ? ''
      : mark === Infinity
        ? ' Later segments follow, so it was durable.'
        : ` A later line says that everything up to event ${mark} was durable.`;
  return new LogDamagedError(`${at(place)}: ${message}${reason}`, place);
};

const at = ({ file, line, seq }: LogPlace): string =>
  `${file}, line ${line}, where event ${seq} should stand`;

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
