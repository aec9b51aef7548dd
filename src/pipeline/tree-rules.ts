import type { ComponentManifest } from './component-manifest.ts';
import { createAttributeTable, type AttributeFile } from './git-attributes.ts';
import type { InventoryFile } from './inventory.ts';
import type { LanguageTable } from './language.ts';
import { isComponentManifest, readComponentManifest } from './read-component-manifest.ts';
import { compareText } from '../std/canonical-json.ts';
import { IGNORE_FILE, NO_IGNORE_LAYERS, type IgnoreLayers } from '../std/ignore-layers.ts';

/** A file, and its text when the tree speaks about itself in it. */
export type InspectedFile = { readonly file: InventoryFile; readonly text?: string };

/** Whether the tree says in this file what else is in it: its text is wanted beside its facts. */
export const isAboutTheTree = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === IGNORE_FILE || name === ATTRIBUTE_FILE || isComponentManifest(path);
};

const ATTRIBUTE_FILE = '.gitattributes';

/** Once all files are read: what the tree's own rules say of each of them. */
export const applyTreeRules = (
  inspected: readonly InspectedFile[],
  languages: LanguageTable,
): {
  readonly files: readonly InventoryFile[];
  readonly manifests: readonly ComponentManifest[];
} => {
  const attributeFiles: AttributeFile[] = [];
  const ignoreFiles: AttributeFile[] = [];
  const manifests: ComponentManifest[] = [];
  for (const { file, text } of inspected) {
    if (text === undefined) continue;
    const slash = file.path.lastIndexOf('/');
    const folder = file.path.slice(0, Math.max(slash, 0));
    const name = file.path.slice(slash + 1);
    if (name === ATTRIBUTE_FILE) attributeFiles.push({ folder, text });
    else if (name === IGNORE_FILE) ignoreFiles.push({ folder, text });
    else {
      const manifest = readComponentManifest(file.path, text);
      if (manifest !== undefined) manifests.push(manifest);
    }
  }
  const attributesOf = createAttributeTable(attributeFiles);
  const ignoredBy = createIgnoring(ignoreFiles);
  const files = inspected.map(({ file }) => {
    const attributes = attributesOf(file.path);
    const rules = ignoredBy(file.path);
    if (attributes === undefined && rules === undefined) return file;
    const named =
      attributes?.language === undefined || file.encoding !== 'text'
        ? undefined
        : languages.named(attributes.language);
    return {
      ...file,
      ...(named !== undefined && { language: named }),
      ...(attributes !== undefined && { attributes }),
      ...(rules !== undefined && { ignoredBy: rules === '' ? '.' : rules }),
    };
  });
  return { files, manifests };
};

/** Each folder is asked about once; what is in an ignored one is ignored with it. */
const createIgnoring = (
  files: readonly AttributeFile[],
): ((path: string) => string | undefined) => {
  if (files.length === 0) return () => undefined;
  const texts = new Map(
    files
      .toSorted((left, right) => compareText(left.folder, right.folder))
      .map(({ folder, text }) => [folder, text]),
  );
  type Known = { readonly layers: IgnoreLayers; readonly ignoredBy: string | undefined };
  const known = new Map<string, Known>();

  const lookAt = (folder: string): Known => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const outer = folder === '' ? undefined : lookAt(parentOf(folder));
    const ignoredBy = outer?.ignoredBy ?? outer?.layers.ignoring(`${folder}/`);
    const text = texts.get(folder);
    const around = outer?.layers ?? NO_IGNORE_LAYERS;
    const found = { layers: text === undefined ? around : around.with(folder, text), ignoredBy };
    known.set(folder, found);
    return found;
  };

  return (path) => {
    const { layers, ignoredBy } = lookAt(parentOf(path));
    return ignoredBy ?? layers.ignoring(path);
  };
};

const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/'), 0));
