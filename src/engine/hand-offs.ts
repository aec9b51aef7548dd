import { join } from 'node:path';
import { z } from 'zod';
import { answer } from '../domain/answer.ts';
import type { PacketId, TaskId } from '../domain/ids.ts';
import type { Lens } from '../domain/vocabulary.ts';
import type { AuditState } from '../decider/state.ts';
import { waitingIn } from '../decider/waiting-list.ts';
import type { Disk } from '../platform/disk.ts';
import { withOperatorWords } from '../pipeline/prompt.ts';
import { required } from '../std/assert.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { Artifacts } from './artifacts.ts';
import { operatorWords, packetBrief } from './attempts.ts';
import type { AuditFiles } from './audit-files.ts';
import { replaceFile } from './replace-file.ts';

/** A packet as files, which stand for themselves: whoever has them needs nothing else of casefile. */
export type HandOff = {
  readonly packet: PacketId;
  /** Absolute paths. The answer is expected at the last one. */
  readonly promptPath: string;
  readonly packetPath: string;
  readonly answerPath: string;
  readonly tasks: number;
  readonly lenses: readonly Lens[];
  readonly files: number;
  readonly tokens: number;
};

/** Packets that wait for somebody, in the plan's order. */
export const openPackets = (state: AuditState): readonly PacketId[] =>
  [...waitingIn(state.ready), ...waitingIn(state.backingOff)]
    .toSorted((left, right) => left.order - right.order)
    .map(({ packet }) => packet);

export const handOffFolder = (files: AuditFiles, packet: PacketId): string =>
  join(files.handOffs, packet);

/** The schema that answers must fit, beside the packets. */
export const answerSchemaPath = (files: AuditFiles): string =>
  join(files.handOffs, 'answer.schema.json');

/**
 * Writes packets as files. They are views of the log: the same state gives the same bytes, and what is
 * there already is left alone, with the answer that may lie beside it.
 *
 * @param given.tree absolute folder of the frozen files.
 */
export const writeHandOffs = async (
  given: {
    readonly disk: Disk;
    readonly files: AuditFiles;
    readonly state: AuditState;
    readonly artifacts: Artifacts;
    readonly blobs: BlobStore;
    readonly tree: string;
  },
  packets: readonly PacketId[],
): Promise<readonly HandOff[]> => {
  const { disk, files, state, artifacts, blobs, tree } = given;
  await disk.makeDirectory(files.handOffs);
  await replaceFile(disk, answerSchemaPath(files), json(z.toJSONSchema(answer)));
  const handOffs: HandOff[] = [];
  for (const packet of packets) {
    const { spec } = required(state.packets.get(packet), 'I2: a packet is planned');
    const folder = handOffFolder(files, packet);
    const handOff: HandOff = {
      packet,
      promptPath: join(folder, 'prompt.md'),
      packetPath: join(folder, 'packet.json'),
      answerPath: join(folder, 'answer.json'),
      ...sizeOf(state, spec.tasks),
      tokens: spec.tokens,
    };
    const text = Buffer.from(await blobs.get(spec.prompt.digest)).toString('utf8');
    await disk.makeDirectory(folder);
    const brief = {
      ...(await packetBrief(state, packet, artifacts)),
      // Nobody's attempt has used these: who reviews the packet now is the next.
      ...operatorWords(state, (asked) => asked.packet === packet && asked.usedBy === undefined),
    };
    const prompt = withOperatorWords(text, brief);
    await replaceFile(disk, handOff.promptPath, `${preface(handOff, tree)}\n${prompt}`);
    await replaceFile(disk, handOff.packetPath, json(brief));
    handOffs.push(handOff);
  }
  return handOffs;
};

const sizeOf = (
  state: AuditState,
  ids: readonly TaskId[],
): Pick<HandOff, 'tasks' | 'lenses' | 'files'> => {
  const tasks = ids
    .map((id) => required(state.tasks.get(id), 'I2: the tasks of a packet are planned'))
    .filter(({ status }) => status === 'open');
  return {
    tasks: tasks.length,
    lenses: [...new Set(tasks.map(({ lens }) => lens))],
    files: new Set(tasks.flatMap(({ paths }) => paths)).size,
  };
};

/** What the environment tells a started program is written down for whoever has none. */
const preface = ({ packetPath, answerPath }: HandOff, tree: string): string =>
  `This is one bounded piece of a code audit. Do this and nothing else; change no file but the answer.

- The files to read are below the folder ${JSON.stringify(tree)}.
- CASEFILE_ANSWER, where the answer goes, is ${JSON.stringify(answerPath)}.
- CASEFILE_PACKET is ${JSON.stringify(packetPath)}.
- CASEFILE_TREE is ${JSON.stringify(tree)}.
- To check the answer, give casefile check these three: CASEFILE_ANSWER --packet CASEFILE_PACKET --tree CASEFILE_TREE.
`;

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
