import { z } from 'zod';
import { compareText } from '../std/canonical-json.ts';
import { createAttributePattern } from './attribute-pattern.ts';
import { manifestKind, type ComponentManifest, type ManifestKind } from './component-manifest.ts';
import { folderOf, joinPath } from './tree-paths.ts';

/**
 * A part of the tree that builds or ships on its own. `root` is its folder, `''` for the whole tree;
 * each file belongs to the innermost component around it, so components never share a file.
 */
export const component = z.object({
  /** The root, or `.`: the same whatever else is in the tree. */
  id: z.string(),
  root: z.string(),
  kind: manifestKind,
  /** What its folder is a component by: its own manifest, or the workspace's that names it. */
  manifest: z.string(),
  name: z.string().optional(),
  /** The workspace's manifest that counts it among its members. */
  workspace: z.string().optional(),
});
export type Component = z.infer<typeof component>;

/**
 * The components of a tree: each folder with a manifest of a package, and those that a Gradle or
 * Maven build names without one. A folder with several manifests is one component, by the first kind
 * in the order of `manifestKind`. Sorted by root.
 *
 * @param folders of the files that count; a named member without any of them is none.
 */
export const deriveComponents = (
  manifests: readonly ComponentManifest[],
  folders: ReadonlySet<string>,
): readonly Component[] => {
  const sorted = manifests.toSorted(
    (left, right) => rankOf(left.kind) - rankOf(right.kind) || compareText(left.path, right.path),
  );
  const workspaces = sorted.filter(({ members }) => members.length > 0).map(workspaceOf);
  const found = new Map<string, Component>();
  const add = (root: string, by: Omit<Component, 'id' | 'root' | 'workspace'>): void => {
    if (found.has(root)) return;
    const around = workspaces.filter(({ kind, holds }) => kind === by.kind && holds(root));
    const workspace = around.toSorted((left, right) => right.root.length - left.root.length)[0];
    found.set(root, {
      id: root === '' ? '.' : root,
      root,
      ...by,
      ...(workspace !== undefined && { workspace: workspace.path }),
    });
  };
  for (const { path, kind, name, isPackage } of sorted) {
    if (isPackage)
      add(folderOf(path), { kind, manifest: path, ...(name !== undefined && { name }) });
  }
  for (const { path, kind, plain } of workspaces) {
    for (const root of plain) if (folders.has(root)) add(root, { kind, manifest: path });
  }
  return [...found.values()].toSorted((left, right) => compareText(left.root, right.root));
};

/** The innermost component around a file; undefined when there is none. */
export const createComponentOf = (
  components: readonly Component[],
): ((path: string) => Component | undefined) => {
  const byRoot = new Map(components.map((one) => [one.root, one]));
  return (path) => {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const one = byRoot.get(path.slice(0, end));
      if (one !== undefined) return one;
    }
    return byRoot.get('');
  };
};

/** Whether a word names a component: its id (the folder, `.` for the root) or its package's name. */
export const isNamedBy = ({ id, name }: Component, word: string): boolean =>
  id === word.replace(/(?<=.)\/+$/, '') || name === word;

const rankOf = (kind: ManifestKind): number => manifestKind.options.indexOf(kind);

type Workspace = {
  readonly path: string;
  readonly root: string;
  readonly kind: ManifestKind;
  readonly holds: (folder: string) => boolean;
  /** Members that stand there as folders, not as patterns. */
  readonly plain: readonly string[];
};

const workspaceOf = ({ path, kind, members }: ComponentManifest): Workspace => {
  const root = folderOf(path);
  const within = members.flatMap((member) => {
    const isTakenAway = member.startsWith('!');
    const folder = joinPath(root, isTakenAway ? member.slice(1) : member);
    return folder === undefined ? [] : [{ folder, isTakenAway }];
  });
  // A pattern is anchored by its slash; the root itself is the empty one.
  const matchers = within.map(({ folder, isTakenAway }) => ({
    matches: createAttributePattern(`/${folder}`),
    isTakenAway,
  }));
  return {
    path,
    root,
    kind,
    holds: (folder) =>
      matchers.some(({ matches, isTakenAway }) => !isTakenAway && matches(folder)) &&
      !matchers.some(({ matches, isTakenAway }) => isTakenAway && matches(folder)),
    plain: within
      .filter(({ folder, isTakenAway }) => !isTakenAway && !/[*?[{]/.test(folder))
      // Maven may name the file of a module instead of its folder.
      .map(({ folder }) => (folder.endsWith('/pom.xml') ? folderOf(folder) : folder)),
  };
};
