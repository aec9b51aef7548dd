import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PROJECT } from '../helpers/built-paths.ts';

/** One rule as dependency-cruiser takes it, with the parts that ours use. */
export type RoomRule = {
  readonly name: string;
  readonly comment: string;
  readonly from: { readonly path?: string | readonly string[] };
  readonly to: { readonly pathNot?: string | readonly string[] };
};

export const roomRules = (): readonly RoomRule[] => {
  const config = createRequire(import.meta.url)(join(PROJECT, '.dependency-cruiser.cjs')) as {
    readonly forbidden: readonly RoomRule[];
  };
  return config.forbidden;
};

/** What each room may import beside itself, as the tool's own configuration says. */
export const roomTable = (): ReadonlyMap<string, readonly string[]> =>
  new Map(
    roomRules()
      .filter(({ name }) => name.endsWith('-looks-only-down'))
      .map(({ name, to }) => {
        const room = name.replace(/-looks-only-down$/, '');
        const allowed = [to.pathNot ?? []].flat().map(roomOfPattern);
        return [room, allowed.filter((other) => other !== room)];
      }),
  );

/** Rooms that a named rule speaks about. */
export const roomsOfRule = (name: string): readonly string[] => {
  const rule = roomRules().find((candidate) => candidate.name === name);
  return [rule?.from.path ?? []].flat().map(roomOfPattern);
};

const roomOfPattern = (pattern: string): string => pattern.replace(/^\^(src\/)?|\/$/g, '');

export const folderOf = (room: string): string => (room === 'machines' ? room : `src/${room}`);

/** Every TypeScript file below the folders, relative to the project, sorted. */
export const sourceFiles = (...folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) =>
      readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((name) => name.endsWith('.ts'))
    .toSorted();
