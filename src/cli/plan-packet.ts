import { UsageError } from '../domain/usage-error.ts';
import type { AuditState } from '../decider/state.ts';
import { createArtifacts } from '../engine/artifacts.ts';
import { plannedTaskOf } from '../engine/planned-task.ts';
import { reviewFacts } from '../engine/review-facts.ts';
import { packetFiles } from '../pipeline/packets.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import { required } from '../std/assert.ts';
import { counted, grouped } from '../std/counted.ts';
import { printable, printableLines } from '../std/printable.ts';
import { shown } from '../std/shown.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';

/** One packet of a plan: its tasks, what is to be read for it, and its prompt. */
export type PacketView = Awaited<ReturnType<typeof packetView>>;

/**
 * @param word a packet's id, or the beginning of exactly one.
 * @throws {UsageError} when none or several begin so.
 */
export const packetView = async (state: AuditState, directory: string, word: string) => {
  const found = [...state.packets.values()].filter(({ spec }) => spec.id.startsWith(word));
  const exact = found.find(({ spec }) => spec.id === word);
  const [only] = exact === undefined ? found : [exact];
  if (only === undefined || (exact === undefined && found.length > 1)) {
    throw new UsageError(
      found.length === 0
        ? `The plan has no packet ${shown(word)}.`
        : `${counted(found.length, 'packet')} of the plan begin with ${shown(word)}.`,
      found.length === 0
        ? 'casefile plan with the same flags lists its packets, --json all of them. One of another plan: --audit ID, or the flags that it was made with.'
        : 'casefile plan lists the packets; --json lists all of them.',
    );
  }
  const { spec, status } = only;
  const blobs = createFileBlobStore({ disk: createNodeDisk(), directory });
  const { facts } = await reviewFacts(state, createArtifacts(blobs));
  const tasks = spec.tasks.map((id) =>
    plannedTaskOf(required(state.tasks.get(id), 'I2: the tasks of a packet are planned')),
  );
  return {
    contract: 'casefile/plan-packet/v1' as const,
    audit: state.opened?.audit,
    id: spec.id,
    status,
    tokens: spec.tokens,
    tasks: tasks.map(({ id, lens, unit, paths, ranges }) => ({ id, lens, unit, paths, ranges })),
    files: packetFiles(tasks, facts).map(({ path, lines, tokens, part }) => ({
      path,
      lines,
      tokens,
      ...(part !== undefined && {
        part: {
          number: part.part,
          of: part.parts,
          line: part.line,
          endLine: part.endLine,
          ...(part.bytes !== undefined && { bytes: part.bytes }),
        },
      }),
    })),
    promptDigest: spec.prompt.digest,
    prompt: Buffer.from(await blobs.get(spec.prompt.digest)).toString('utf8'),
  };
};

/** What a task is about, where that is one file. */
const aboutText = (
  [path, ...others]: readonly string[],
  ranges: readonly { readonly line: number; readonly endLine: number }[] = [],
): string | undefined => {
  if (path === undefined || others.length > 0) return undefined;
  const [range] = ranges;
  return `${printable(path)}${range === undefined ? '' : `, lines ${range.line} to ${range.endLine}`}`;
};

export const packetText = (view: PacketView): string =>
  [
    `Packet ${view.id} of audit ${view.audit ?? ''} (${view.status})`,
    `  about ${grouped(view.tokens)} tokens: ${counted(view.tasks.length, 'task')} over ${counted(view.files.length, 'file')}`,
    '  files',
    ...view.files.map(
      ({ path, lines, tokens, part }) =>
        `    ${grouped(tokens).padStart(8)} tokens  ${printable(path)} (${part === undefined ? counted(lines, 'line') : `part ${part.number} of ${part.of}: lines ${part.line} to ${part.endLine}`})`,
    ),
    '  tasks',
    ...view.tasks.map(
      ({ id, lens, unit, paths, ranges }) =>
        `    ${id}  ${lens.padEnd(18)} ${aboutText(paths, ranges) ?? `${counted(paths.length, 'file')} of ${printable(unit)}`}`,
    ),
    `  prompt (SHA-256 ${view.promptDigest})`,
    '',
    printableLines(view.prompt),
  ].join('\n');
