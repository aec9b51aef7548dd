import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { commitEnvelope, LOG_VERSION } from '../domain/commit.ts';
import type { Commit, CommitDraft } from '../domain/commit.ts';
import { EVENT_TYPES, strictEvent, tolerantEvent } from '../domain/events.ts';
import type { AuditEvent } from '../domain/events.ts';
import type { EventNumber, Instant } from '../domain/ids.ts';
import { assert } from '../std/assert.ts';
import { compileCheck } from './schema-check.ts';
import type { Check } from './schema-check.ts';
import { upcast, UPCASTERS } from './upcasters.ts';
import type { RawCommit, Upcaster } from './upcasters.ts';

/**
 * One commit, one line (protocol L1 to L4):
 *
 *   {"v":1,"seq":41,…,"prev":"<16 hex>"  ,"crc":"<8 hex>"}  \n
 *   └──────── what the CRC covers ─────┘ └── the suffix ──┘
 *
 * The suffix has a fixed length and is compared byte by byte, and the CRC covers all before it, so
 * that no bit of a line can change unnoticed.
 */
const SUFFIX_HEAD = Buffer.from(',"crc":"');
const SUFFIX_TAIL = Buffer.from('"}');
const CRC_DIGITS = 8;
const SUFFIX_BYTES = SUFFIX_HEAD.length + CRC_DIGITS + SUFFIX_TAIL.length;

/** Where the log puts a commit. */
export type CommitPlace = {
  readonly seq: EventNumber;
  readonly epoch: number;
  readonly durable: EventNumber;
  /** The whole SHA-256 of the line before, zeros first. */
  readonly previousHash: string;
};

export type EncodedCommit = {
  readonly commit: Commit;
  /** With the newline at its end. */
  readonly line: Uint8Array;
  /** The whole SHA-256 of the line without its newline. */
  readonly hash: string;
};

/** @throws {InvariantViolation} when an event is not what its schema says, or a rule is broken. */
export const encodeCommit = (draft: CommitDraft, place: CommitPlace): EncodedCommit => {
  assert(draft.events.length > 0, 'L1: a commit holds at least one event');
  assert(place.durable < place.seq, 'L2: durable lags behind the commit that tells it');
  assert(Number.isSafeInteger(draft.at), 'L3: the time of a commit is whole milliseconds');
  const events = draft.events.map(strictly);
  const { at, from, to } = draft;
  const { seq, epoch, durable } = place;
  const cause = { command: draft.cause.command, of: draft.cause.of };
  const prev = place.previousHash.slice(0, 16);
  const of = cause.of === undefined ? '' : `,"of":${cause.of}`;
  const text =
    `{"v":${LOG_VERSION},"seq":${seq},"at":"${timeText(at)}","epoch":${epoch},"durable":${durable},` +
    `"cause":{"command":${quoted(cause.command)}${of}},"events":${JSON.stringify(events)},` +
    `"from":${quoted(from)},"to":${quoted(to)},"prev":"${prev}"`;
  const head = Buffer.byteLength(text);
  const end = head + SUFFIX_BYTES;
  const line = Buffer.allocUnsafe(end + 1);
  line.write(text, 0, head === text.length ? 'latin1' : 'utf8');
  line.write(`,"crc":"${hexOf(crc32(line.subarray(0, head)))}"}\n`, head, 'latin1');
  return {
    commit: { seq, at, epoch, durable, cause, events, from, to, prev },
    line,
    hash: hashOfLine(line, 0, end),
  };
};

/** ISO 8601 with milliseconds. Commits come many in a second, so its text is kept. */
const timeText = (at: Instant): string => {
  const second = Math.floor(at / 1000);
  if (second !== lastSecond.second) {
    lastSecond = { second, text: new Date(second * 1000).toISOString().slice(0, -4) };
  }
  const ms = at - second * 1000;
  return `${lastSecond.text}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
};
let lastSecond = { second: -1, text: '' };

/** Commands and paths of the chart are few: the JSON text of each is made once. */
const quoted = (word: string): string => {
  let text = words.get(word);
  if (text === undefined) words.set(word, (text = JSON.stringify(word)));
  return text;
};
const words = new Map<string, string>();

/** Why a line is no commit of this log's version. */
export type LineProblem = {
  /**
   * `not-whole`: cut or changed bytes. `unfit`: whole, but not what any casefile writes. `newer`:
   * whole, and written by a newer casefile.
   */
  readonly problem: 'not-whole' | 'unfit' | 'newer';
  readonly message: string;
};

export const isProblem = (reading: Commit | LineProblem): reading is LineProblem =>
  'problem' in reading;

/** Whether `bytes` from `start` to `end` (without the newline) carry their own checksum. */
export const isWholeLine = (bytes: Uint8Array, start: number, end: number): boolean => {
  const head = end - SUFFIX_BYTES;
  if (head <= start) return false;
  for (let index = 0; index < SUFFIX_HEAD.length; index += 1) {
    if (bytes[head + index] !== SUFFIX_HEAD[index]) return false;
  }
  if (bytes[end - 2] !== SUFFIX_TAIL[0] || bytes[end - 1] !== SUFFIX_TAIL[1]) return false;
  let written = 0;
  const digits = head + SUFFIX_HEAD.length;
  for (let index = digits; index < digits + CRC_DIGITS; index += 1) {
    const digit = lowerHexDigit(bytes[index] ?? 0);
    if (digit < 0) return false;
    written = written * 16 + digit;
  }
  return crc32(bytes.subarray(start, head)) === written;
};

/** Reads one line, `bytes` from `start` to `end` without its newline. Copies nothing. */
export const decodeLine = (
  bytes: Buffer,
  start: number,
  end: number,
  chain: readonly Upcaster[] = UPCASTERS,
  version: number = LOG_VERSION,
): Commit | LineProblem => {
  if (!isWholeLine(bytes, start, end)) {
    return { problem: 'not-whole', message: 'The line is cut or its bytes have changed.' };
  }
  const parsed = parse(bytes.toString('utf8', start, end));
  if (parsed === undefined) return unfit('The line is no JSON object with a version.');
  if (parsed.v > version) {
    return newer(
      `The log's version ${parsed.v} is newer than ${version}, which this casefile reads.`,
    );
  }
  const raw = upcast(parsed, version, chain);
  if (!isEnvelope(raw)) return unfit(firstIssue(commitEnvelope.safeParse(raw), 'envelope'));
  const events = raw['events'];
  if (!Array.isArray(events) || events.length === 0) return unfit('L1: the commit has no events.');
  for (const event of events) {
    const problem = eventProblem(event);
    if (problem !== undefined) return problem;
  }
  return {
    seq: raw.seq,
    at: instantOf(raw.at),
    epoch: raw.epoch,
    durable: raw.durable,
    cause: raw.cause,
    events,
    from: raw.from,
    to: raw.to,
    prev: raw.prev,
  };
};

/** The whole SHA-256 of a line, in lower-case hex (L4). */
export const hashOfLine = (bytes: Uint8Array, start: number, end: number): string =>
  hash('sha256', bytes.subarray(start, end), 'hex');

/**
 * An instant from its text, which the envelope's schema has checked. Lines of a log share their day,
 * so `Date` is asked for that alone: asking it for each line costs more than the checksum.
 */
const instantOf = (text: string): number => {
  if (!text.startsWith(lastDay.text)) {
    const day = text.slice(0, 'YYYY-MM-DD'.length);
    lastDay = { text: day, start: Date.parse(`${day}T00:00:00.000Z`) };
  }
  const two = (at: number): number =>
    (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
  const minutes = two(11) * 60 + two(14);
  return lastDay.start + (minutes * 60 + two(17)) * 1000 + two(20) * 10 + text.charCodeAt(22) - 48;
};
let lastDay = { text: '1970-01-01', start: 0 };

type Envelope = ReturnType<typeof commitEnvelope.parse>;

const slow =
  (schema: { readonly safeParse: (value: unknown) => { readonly success: boolean } }): Check =>
  (value) =>
    schema.safeParse(value).success;

const checkEnvelope = compileCheck(commitEnvelope) ?? slow(commitEnvelope);
const isEnvelope = (value: unknown): value is Envelope => checkEnvelope(value);
const passesStrict = compileCheck(strictEvent) ?? (() => false);
const passesTolerant = compileCheck(tolerantEvent) ?? slow(tolerantEvent);
const knownTypes: ReadonlySet<unknown> = new Set(EVENT_TYPES);

const strictly = (event: AuditEvent): AuditEvent => {
  if (passesStrict(event)) return event;
  const reading = strictEvent.safeParse(event);
  assert(reading.success, `${event.type} keeps its schema: ${firstIssue(reading, event.type)}`);
  return reading.data;
};

const eventProblem = (event: unknown): LineProblem | undefined => {
  if (passesTolerant(event)) return undefined;
  const type: unknown = (event as { readonly type?: unknown } | null)?.type;
  if (typeof type === 'string' && !knownTypes.has(type)) {
    return newer(`This casefile does not know the event type ${JSON.stringify(type)}.`);
  }
  const reading = tolerantEvent.safeParse(event);
  return reading.success ? undefined : unfit(firstIssue(reading, String(type)));
};

type Reading = {
  readonly error?:
    | { readonly issues: readonly { readonly path: PropertyKey[]; readonly message: string }[] }
    | undefined;
};
const firstIssue = (reading: Reading, what: string): string => {
  const issue = reading.error?.issues[0];
  return `${[what, ...(issue?.path ?? [])].map(String).join('.')}: ${issue?.message ?? 'wrong shape'}`;
};

const unfit = (message: string): LineProblem => ({ problem: 'unfit', message });
const newer = (message: string): LineProblem => ({ problem: 'newer', message });

const parse = (text: string): RawCommit | undefined => {
  try {
    const value = JSON.parse(text) as { readonly v?: unknown } | null;
    return Number.isInteger(value?.v) && Number(value?.v) >= 1 ? (value as RawCommit) : undefined;
  } catch {
    return undefined;
  }
};

/** Eight digits: the one above them is cut off again. */
const hexOf = (checksum: number): string => (checksum + 2 ** 32).toString(16).slice(1);

const lowerHexDigit = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
};
