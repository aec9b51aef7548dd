import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { packetBrief, type PacketBrief } from '../../domain/packet-brief.ts';
import { UsageError } from '../../domain/usage-error.ts';
import { judgeAnswer, type JudgedTask } from '../../pipeline/judge-answer.ts';
import { judgeNarrative, type JudgedNarrative } from '../../pipeline/judge-narrative.ts';
import {
  evidencePaths,
  judgeVerification,
  type JudgedVerification,
} from '../../pipeline/judge-verification.ts';
import { joinPath } from '../../pipeline/tree-paths.ts';
import { absolutePath } from '../../platform/folder-kinds.ts';
import { readNamedFile, readRegularFile } from '../../platform/read-regular-file.ts';
import { EXIT } from '../exit.ts';
import { BYTES_MAX, isFolder } from '../read-inputs.ts';
import { terminal } from '../terminal.ts';

export type CheckFlags = {
  readonly packet: string;
  readonly tree?: string | undefined;
  readonly json?: boolean | undefined;
};

/** `casefile check`: tells a worker whether its answer would be accepted. Reads nothing else. */
export const checkCommand = async (answerFile: string, flags: CheckFlags): Promise<number> => {
  const packetBytes = await readNamed(flags.packet, 'Name the packet file.');
  const bytes = await readNamed(answerFile, 'Name the answer file.');
  const folder = flags.tree ?? process.env['CASEFILE_TREE'];
  if (folder !== undefined && !(await isFolder(folder))) {
    throw new UsageError(`${folder} is not a folder.`, 'Name the folder of the files with --tree.');
  }
  const packetText = Buffer.from(packetBytes).toString('utf8');
  const parsed = packetBrief.safeParse(parseJson(packetText, flags.packet));
  if (!parsed.success) {
    throw new UsageError(
      `${flags.packet} is no packet file of casefile.`,
      'Give the file that the prompt names, or CASEFILE_PACKET.',
    );
  }
  const brief = parsed.data;
  const judged = await judgeByKind(bytes, brief, folder);
  const refused = judged.flatMap(troublesOf);
  const repaired = new Set(judged.flatMap((one) => (one.kind === 'rejected' ? [] : one.repairs)));
  const unanchored = judged.flatMap((one) =>
    one.kind === 'accepted' ? one.result.findings.filter(({ anchored }) => !anchored) : [],
  );
  const isAccepted = refused.length === 0;
  if (flags.json === true) {
    terminal.json({
      accepted: isAccepted,
      refused,
      repaired: [...repaired],
      ...(folder !== undefined && {
        notAnchored: unanchored.map(({ title, place }) => ({ title, ...place })),
      }),
    });
  } else {
    terminal.answer(
      [
        isAccepted
          ? 'The answer would be accepted.'
          : 'The answer would be refused, in part or whole:',
        ...refused.map(
          ({ task, at, code, message }) =>
            `  ${[task ?? 'whole answer', ...(at === undefined ? [] : [at])].join(' ')}: ${code} — ${message}`,
        ),
        ...[...repaired].map((one) => `  would be put right: ${one}`),
        ...(folder === undefined
          ? ['  (its quotes were not looked for: give --tree, or CASEFILE_TREE)']
          : unanchored.map(
              ({ title, place }) =>
                `  the quote of "${title}" does not show a place in ${place.path}: kept, but as not anchored`,
            )),
      ].join('\n'),
    );
  }
  return isAccepted ? EXIT.fine : EXIT.overGate;
};

type Judged = JudgedTask | JudgedVerification | JudgedNarrative;

/** Everything that would not be taken, each with its place in the answer where it has one. */
const troublesOf = (
  judged: Judged,
): readonly { readonly task?: string; readonly at?: string; code: string; message: string }[] => {
  const task = judged.task === undefined ? {} : { task: judged.task };
  const troubles = 'troubles' in judged ? (judged.troubles ?? []) : [];
  if (troubles.length > 0) {
    return troubles.map(({ at, code, message }) => ({
      ...task,
      ...(at !== '' && { at }),
      code,
      message,
    }));
  }
  if (judged.kind !== 'rejected') return [];
  return [{ ...task, code: judged.code, message: judged.message }];
};

/** As the audit would judge it, as far as packet and folder tell. */
const judgeByKind = async (
  bytes: Uint8Array,
  brief: PacketBrief,
  folder: string | undefined,
): Promise<readonly Judged[]> => {
  const textsOf = async (paths: readonly string[]) =>
    folder === undefined ? new Map<string, string>() : readTexts(folder, paths.filter(isInside));
  switch (brief.tasks[0]?.kind) {
    case 'narrative':
      // Which findings there are, only the audit knows.
      return judgeNarrative({ bytes, brief, isFinding: () => true });
    case 'verification': {
      const texts = await textsOf(evidencePaths(bytes, brief));
      const judged = judgeVerification({
        bytes,
        brief,
        settled: new Set(),
        read: (path) => texts.get(path),
      });
      return folder === undefined
        ? judged.filter((one) => one.kind !== 'rejected' || one.code !== 'evidence-not-found')
        : judged;
    }
    case 'review':
    case 'design':
    case 'deepening':
    case undefined: {
      const texts = await textsOf(
        brief.tasks.flatMap(({ files }) => files.map(({ path }) => path)),
      );
      return judgeAnswer({
        bytes,
        brief,
        settled: new Set(),
        provider: 'command',
        read: (path) => texts.get(path),
        roots: folder === undefined ? [] : [resolve(folder)],
      });
    }
  }
};

/** An answer names what it likes; only files of the folder are opened. */
const isInside = (path: string): boolean => joinPath('', path) === path;

const readNamed = (file: string, hint: string): Promise<Uint8Array> =>
  readNamedFile(file, BYTES_MAX).catch((error: unknown) => {
    throw new UsageError(`${file} cannot be read: ${String(error)}`, hint);
  });

const parseJson = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${String(error)}`, 'Name the packet file.');
  }
};

const realPathOf = (path: string | Buffer): Promise<string | undefined> =>
  realpath(path).catch(() => undefined);

const readTexts = async (
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  const root = await realPathOf(folder);
  for (const path of new Set(paths)) {
    const file = absolutePath(folder, path);
    // A folder on the way may be a link that leads out of the tree; a file that is one is never opened.
    if (!(await realPathOf(file))?.startsWith(`${root}/`)) continue;
    const bytes = await readRegularFile(file).catch(() => undefined);
    if (bytes !== undefined) texts.set(path, Buffer.from(bytes).toString('utf8'));
  }
  return texts;
};
