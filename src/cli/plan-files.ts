import type { AuditState } from '../decider/state.ts';
import { createArtifacts } from '../engine/artifacts.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import { required } from '../std/assert.ts';
import { counted, grouped } from '../std/counted.ts';
import { printable } from '../std/printable.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';

/** Every file of the inventory once, with what became of it and in how many packets it is read. */
export type FilesView = Awaited<ReturnType<typeof filesView>>;

/** @param state of an audit that has a plan. */
export const filesView = async (state: AuditState, directory: string) => {
  const disk = createNodeDisk();
  const artifacts = createArtifacts(createFileBlobStore({ disk, directory }));
  const { files } = await artifacts.get(state, 'inventory');
  const disposition = await artifacts.get(state, 'disposition');
  const structure = await artifacts.get(state, 'structure');
  const { parts = [] } = await artifacts.get(state, 'planning');
  const decisions = new Map(disposition.files.map((file) => [file.path, file]));
  const units = new Map(
    structure.units.flatMap((unit) => unit.files.map((path) => [path, unit.id] as const)),
  );
  const split = new Map(parts.map(({ path, parts: count }) => [path, count]));
  const packets = packetsByPath(state);
  return {
    contract: 'casefile/plan-files/v1' as const,
    audit: state.opened?.audit,
    files: files.map(({ path, size, lines, encoding, charset, language, digest }) => {
      const { status, reason } = required(decisions.get(path), 'each file has a disposition');
      const count = split.get(path);
      return {
        path,
        status: count === undefined ? status : 'split',
        reason: count === undefined ? reason : `larger than a packet: ${count} parts`,
        size,
        lines,
        encoding: charset ?? encoding,
        language,
        ...(digest !== undefined && { digest }),
        ...(units.has(path) && { unit: units.get(path) }),
        packets: packets.get(path) ?? 0,
      };
    }),
  };
};

const packetsByPath = (state: AuditState): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { spec } of state.packets.values()) {
    const paths = new Set(
      spec.tasks.flatMap((id) => {
        const task = required(state.tasks.get(id), 'I2: the tasks of a packet are planned');
        return task.kind === 'review' ? task.paths : [];
      }),
    );
    for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  return counts;
};

export const filesText = ({ audit, files }: FilesView): string =>
  [
    `${counted(files.length, 'file')} of audit ${audit ?? ''}`,
    ...files.map(
      ({ path, status, reason, lines, size, language, packets }) =>
        `  ${status.padEnd(10)} ${grouped(lines).padStart(8)} lines ${grouped(size).padStart(11)} bytes  ${counted(packets, 'packet').padStart(10)}  ${language.padEnd(12)} ${printable(path)}${status === 'included' ? '' : `  (${printable(reason)})`}`,
    ),
  ].join('\n');
