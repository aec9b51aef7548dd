import { constants } from 'node:fs';
import { lstat, open, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Launch } from './attempt-runner.ts';
import type { SignOfLife } from './process-watch.ts';
import type { Redaction } from './redaction.ts';

/**
 * What an attempt leaves in files. stdout and stderr go to files too, not to pipes: they outlive
 * casefile, cost no copying, and a grandchild that keeps them open holds up nobody.
 */
export type AttemptFiles = {
  readonly stdout: string;
  readonly stderr: string;
  readonly answer: string;
  readonly signal: string;
};

export const attemptFiles = (launch: Launch): AttemptFiles => ({
  stdout: join(launch.scratch, 'stdout'),
  stderr: join(launch.scratch, 'stderr'),
  answer: launch.answerFile,
  signal: launch.signalFile,
});

/** An answer is read whole into memory and kept for ever; a sane one is far smaller. */
const ANSWER_BYTES_MAX = 1 << 26;
const SIGNAL_BYTES_MAX = 1 << 16;
/** So many times the bytes that are kept of a stream end the attempt. */
const OUTPUT_EXCESS = 10;

/** Whether anything was written since the last look, and whether it is too much. */
export const lookAtFiles = async (
  files: AttemptFiles,
  outputBytesMax: number,
): Promise<SignOfLife> => {
  const [stdout, stderr, answer] = await Promise.all(
    [files.stdout, files.stderr, files.answer].map(stateOf),
  );
  const streamBytes = Math.max(stdout?.size ?? 0, stderr?.size ?? 0);
  return {
    mark: [stdout?.size, stderr?.size, answer?.size, answer?.mtimeMs].join(' '),
    isOverOutput:
      streamBytes > outputBytesMax * OUTPUT_EXCESS || (answer?.size ?? 0) > ANSWER_BYTES_MAX,
  };
};

/** When anything was last written, in ms of wall-clock time; 0 when nothing ever was. */
export const lastWriteAt = async (files: AttemptFiles): Promise<number> => {
  const states = await Promise.all([files.stdout, files.stderr, files.answer].map(stateOf));
  // An output file that is still empty was touched by its making only.
  return Math.max(0, ...states.map((state) => (state?.size ? state.mtimeMs : 0)));
};

export type LeftBehind = {
  readonly answer?: Uint8Array;
  readonly signal?: Uint8Array;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
};

/**
 * Reads what is there, each bounded. The files are left as what is returned: the streams cut to what
 * is kept of them, and all without secrets, since the folder stays where people look into it.
 */
export const collectFiles = async (
  files: AttemptFiles,
  outputBytesMax: number,
  redaction: Redaction,
): Promise<LeftBehind> => {
  const [answer, signal, stdout, stderr] = await Promise.all([
    readRedacted(files.answer, ANSWER_BYTES_MAX, redaction.answer),
    readBounded(files.signal, SIGNAL_BYTES_MAX),
    keepStart(files.stdout, outputBytesMax, redaction.output),
    keepStart(files.stderr, outputBytesMax, redaction.output),
  ]);
  return {
    ...(answer.length === 0 ? {} : { answer }),
    ...(signal.length === 0 ? {} : { signal }),
    stdout,
    stderr,
  };
};

type Redact = Redaction['output'];

const keepStart = async (path: string, bytesMax: number, redact: Redact): Promise<Uint8Array> => {
  const state = await stateOf(path);
  if (state !== undefined && state.size > bytesMax) await truncate(path, bytesMax);
  return readRedacted(path, bytesMax, redact);
};

/** Temp file and rename: an answer must be whole at every moment. */
const readRedacted = async (
  path: string,
  bytesMax: number,
  redact: Redact,
): Promise<Uint8Array> => {
  const bytes = await readBounded(path, bytesMax);
  const redacted = redact(bytes);
  if (redacted !== bytes) {
    await writeFile(`${path}.redacted`, redacted);
    await rename(`${path}.redacted`, path);
  }
  return redacted;
};

const stateOf = (path: string): Promise<{ size: number; mtimeMs: number } | undefined> =>
  lstat(path).catch(() => undefined);

/**
 * The first bytes of a regular file. A worker chooses what lies at its paths: a link would have us
 * record a file of somebody else, and the open of a named pipe would wait for ever. Such things
 * count as nothing there. Trouble of our own (EIO, EMFILE) is thrown: unreadable is not empty.
 */
const readBounded = async (path: string, bytesMax: number): Promise<Uint8Array> => {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(unlessNoFile);
  if (file === undefined) return new Uint8Array();
  try {
    const state = await file.stat();
    if (!state.isFile()) return new Uint8Array();
    const bytes = new Uint8Array(Math.min(state.size, bytesMax));
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await file.close();
  }
};

/** Missing, a link, a pipe without a writer, or shut by the worker itself. */
const NO_FILE: ReadonlySet<string | undefined> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'ENXIO',
  'EACCES',
  'EPERM',
]);

const unlessNoFile = (error: NodeJS.ErrnoException): undefined => {
  if (!NO_FILE.has(error.code)) throw error;
};
