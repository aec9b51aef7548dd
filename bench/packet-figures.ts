import type { PlannedTask } from '../src/domain/events.ts';
import { fileTokens, promptTokens } from '../src/pipeline/token-model.ts';
import type { PlannedTree } from './plan-tree.ts';

/** What a plan's packets come to, counted from the plan itself and not from what it says of itself. */
export type PacketFigures = {
  readonly files: number;
  readonly tasks: number;
  readonly packets: number;
  /** What a packet may come to, and the largest: its prompt's bytes and the files that it reads. */
  readonly budgetTokens: number;
  readonly largestTokens: number;
  /**
   * Tokens of files that are read in all packets, over those of the same files (and parts, with
   * their overlap) read once.
   */
  readonly repetition: number;
  /** Packets that ask about a file, on average over the files that are not cut. */
  readonly packetsPerFile: number;
  /** Cells that are asked for and in no task, or in more than one. */
  readonly wrongCells: number;
};

/** Questions about the design are no cells: they read files again on purpose, and count as that. */
export const packetFigures = ({ input, planned }: PlannedTree): PacketFigures => {
  const files = new Map(input.inventory.files.map((file) => [file.path, file]));
  const tasks = new Map(planned.tasks.map((task) => [task.id, task]));
  const parts = new Map(
    (planned.artifact.parts ?? []).map((part) => [keyOf(part.path, part), part.tokens]),
  );
  const tokensOf = (key: string, path: string): number => {
    const file = files.get(path);
    return parts.get(key) ?? (file === undefined ? 0 : fileTokens(file));
  };
  const packetsOfWhole = new Map<string, number>();
  const once = new Map<string, number>();
  let read = 0;
  let largest = 0;
  for (const packet of planned.packets) {
    const own = new Map<string, number>();
    for (const id of packet.tasks) {
      for (const { key, path } of readsOf(tasks.get(id))) own.set(key, tokensOf(key, path));
    }
    let tokens = promptTokens(Buffer.byteLength(packet.promptText));
    for (const [key, count] of own) {
      tokens += count;
      read += count;
      once.set(key, count);
      if (!parts.has(key)) packetsOfWhole.set(key, (packetsOfWhole.get(key) ?? 0) + 1);
    }
    largest = Math.max(largest, tokens);
  }
  return {
    files: input.inventory.files.length,
    tasks: planned.tasks.length,
    packets: planned.packets.length,
    budgetTokens: planned.artifact.budget?.tokensMax ?? 0,
    largestTokens: largest,
    repetition: read / Math.max(sum(once.values()), 1),
    packetsPerFile: sum(packetsOfWhole.values()) / Math.max(packetsOfWhole.size, 1),
    wrongCells: wrongCells({ input, planned }),
  };
};

const keyOf = (
  path: string,
  range: { readonly line: number; readonly bytes?: { readonly from: number } | undefined },
): string => `${path}#${range.line}.${range.bytes?.from ?? 0}`;

const readsOf = (task: PlannedTask | undefined) =>
  (task?.paths ?? []).map((path) => {
    const range = task?.ranges?.find((one) => one.path === path);
    return { path, key: range === undefined ? path : keyOf(path, range) };
  });

const sum = (values: Iterable<number>): number => {
  let total = 0;
  for (const value of values) total += value;
  return total;
};

/**
 * Every included file under every lens is in one task, of a cut file in one for each part, or is named
 * as skipped or unchecked; never in two of these and never in none.
 */
const wrongCells = ({ input, planned }: PlannedTree): number => {
  const seen = new Map<string, number>();
  const add = (lens: string, path: string, place = ''): void => {
    const cell = `${lens} ${path}${place}`;
    seen.set(cell, (seen.get(cell) ?? 0) + 1);
  };
  const partsOf = new Map<string, number>();
  for (const { path } of planned.artifact.parts ?? [])
    partsOf.set(path, (partsOf.get(path) ?? 0) + 1);
  for (const task of planned.tasks) {
    if (task.kind !== 'review') continue;
    for (const { path, key } of readsOf(task)) add(task.lens, path, key.slice(path.length));
  }
  for (const { lenses, files } of [...planned.artifact.skipped, ...planned.artifact.unchecked]) {
    for (const lens of lenses) for (const path of files) add(lens, path);
  }
  const doubled = [...seen.values()].filter((times) => times > 1).length;
  // A cell of a cut file is as many entries as the file has parts, or one where it is skipped.
  let expected = 0;
  for (const { path } of input.inventory.files) {
    for (const lens of planned.artifact.lenses) {
      expected += seen.has(`${lens} ${path}`) ? 1 : (partsOf.get(path) ?? 1);
    }
  }
  return doubled + Math.abs(expected - seen.size);
};
