import type { AuditState } from '../decider/state.ts';
import { createArtifacts } from '../engine/artifacts.ts';
import { createNodeDisk } from '../platform/node-disk.ts';
import { required } from '../std/assert.ts';
import { counted, grouped } from '../std/counted.ts';
import { printable } from '../std/printable.ts';
import { createFileBlobStore } from '../store/file-blob-store.ts';
import { askedPaths } from './plan-view.ts';

/** Every file of the inventory once, with what became of it and in how many packets it is read. */
export type FilesView = Awaited<ReturnType<typeof filesView>>;

/** @param state of an audit that has a plan. */
export const filesView = async (state: AuditState, directory: string) => {
  const disk = createNodeDisk();
  const artifacts = createArtifacts(createFileBlobStore({ disk, directory }));
  const { files } = await artifacts.get(state, 'inventory');
  const disposition = await artifacts.get(state, 'disposition');
  const structure = await artifacts.get(state, 'structure');
  const { parts = [], skipped } = await artifacts.get(state, 'planning');
  const risks = new Map(structure.shape?.risk.files.map((one) => [one.path, one]));
  const decisions = new Map(disposition.files.map((file) => [file.path, file]));
  const units = new Map(
    structure.units.flatMap((unit) => unit.files.map((path) => [path, unit.id] as const)),
  );
  const split = new Map(parts.map(({ path, parts: count }) => [path, count]));
  const packets = packetsByPath(state);
  const asked = askedPaths(state);
  // A file may be skipped under several lenses for several reasons: the most general comes last.
  const whyNot = new Map(
    skipped.flatMap(({ reason, files: paths }) => paths.map((path) => [path, reason] as const)),
  );
  return {
    contract: 'casefile/plan-files/v1' as const,
    audit: state.opened?.audit,
    files: files.map(({ path, size, lines, encoding, charset, language, digest }) => {
      const decision = required(decisions.get(path), 'each file has a disposition');
      const risk = risks.get(path);
      return {
        path,
        ...becomes(decision, {
          parts: split.get(path),
          isAsked: asked.has(path),
          packets: packets.get(path) ?? 0,
          whyNot: whyNot.get(path),
        }),
        size,
        lines,
        encoding: charset ?? encoding,
        language,
        ...(digest !== undefined && { digest }),
        ...(units.has(path) && { unit: units.get(path) }),
        ...(risk !== undefined && { risk: risk.score, riskParts: risk.parts }),
        packets: packets.get(path) ?? 0,
      };
    }),
  };
};

/** What becomes of a file, and why. */
const becomes = (
  { status, reason }: { readonly status: string; readonly reason: string },
  plan: {
    readonly parts: number | undefined;
    readonly isAsked: boolean;
    readonly packets: number;
    readonly whyNot: string | undefined;
  },
): { readonly status: string; readonly reason: string } => {
  if (status !== 'included') return { status, reason };
  if (!plan.isAsked) return { status: 'not asked', reason: plan.whyNot ?? reason };
  if (plan.packets === 0) return { status, reason: 'an earlier audit has answered all of it' };
  if (plan.parts === undefined) return { status, reason };
  return { status: 'split', reason: `larger than a packet: ${plan.parts} parts` };
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

export const filesText = ({ audit, files }: FilesView): string => {
  const width = files.reduce((most, { language }) => Math.max(most, language.length), 0);
  return [
    `${counted(files.length, 'file')} of audit ${audit ?? ''}`,
    ...files.map(({ path, status, reason, lines, size, language, packets, risk }) => {
      const isPlain = status === 'included' && packets > 0;
      const row = [
        status.padEnd(10),
        counted(lines, 'line').padStart(14),
        `${grouped(size)} bytes`.padStart(17),
        counted(packets, 'packet').padStart(10),
        (risk === undefined ? '' : `risk ${risk.toFixed(1)}`).padStart(9),
        language.padEnd(width),
        `${printable(path)}${isPlain ? '' : `  (${printable(reason)})`}`,
      ];
      return `  ${row.join('  ')}`;
    }),
  ].join('\n');
};
