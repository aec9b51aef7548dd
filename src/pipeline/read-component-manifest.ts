import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { ComponentManifest, ManifestKind } from './component-manifest.ts';

export const isComponentManifest = (path: string): boolean => readerOf(path) !== undefined;

/** @returns undefined when the file is no manifest, or is one that does not parse. */
export const readComponentManifest = (
  path: string,
  text: string,
): ComponentManifest | undefined => {
  const reader = readerOf(path);
  if (reader === undefined) return undefined;
  let said: Said;
  try {
    said = reader.read(text.replace(/^\uFEFF/, ''));
  } catch {
    // A broken manifest is for those who review it; here its folder is only not known.
    return undefined;
  }
  return {
    path,
    kind: reader.kind,
    ...(said.name !== undefined && said.name !== '' && { name: said.name }),
    isPackage: said.isPackage ?? true,
    members: [...(said.members ?? [])],
  };
};

type Said = {
  readonly name?: string | undefined;
  /** By default it is one. */
  readonly isPackage?: boolean;
  readonly members?: readonly string[] | undefined;
};
type Reader = { readonly kind: ManifestKind; readonly read: (text: string) => Said };

const readerOf = (path: string): Reader | undefined => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return READERS.get(name) ?? (DOTNET_PROJECT.test(name) ? DOTNET : undefined);
};

const words = z.array(z.string());
const name = z.string().optional().catch(undefined);
const named = z.object({ name }).optional().catch(undefined);
const workspace = z
  .object({ members: words.catch([]).default([]), exclude: words.catch([]).default([]) })
  .transform(({ members, exclude }) => [...members, ...exclude.map((folder) => `!${folder}`)])
  .optional();

const npmPackage = z.object({
  name,
  workspaces: z
    .union([words, z.object({ packages: words }).transform(({ packages }) => packages)])
    .optional()
    .catch(undefined),
});
const readNpm = (text: string): Said => {
  const { name: own, workspaces } = npmPackage.parse(JSON.parse(text));
  return { name: own, members: workspaces };
};

const pnpmWorkspace = z.object({ packages: words.optional().catch(undefined) });
const readPnpm = (text: string): Said => {
  // Aliases make a small text into a value of any size.
  const { packages } = pnpmWorkspace.parse(parseYaml(text, { maxAliasCount: 0 }) ?? {});
  return { isPackage: false, members: packages };
};

const cargo = z.object({ package: named, workspace });
const readCargo = (text: string): Said => {
  const said = cargo.parse(parseToml(text));
  return {
    name: said.package?.name,
    isPackage: said.package !== undefined,
    members: said.workspace,
  };
};

const pyproject = z.object({
  project: named,
  tool: z.object({ poetry: named, uv: z.object({ workspace }).optional() }).optional(),
});
const readPyproject = (text: string): Said => {
  const { project, tool } = pyproject.parse(parseToml(text));
  return {
    name: project?.name ?? tool?.poetry?.name,
    // Many hold nothing but the settings of a formatter.
    isPackage: project !== undefined || tool?.poetry !== undefined,
    members: tool?.uv?.workspace,
  };
};

const readGoModule = (text: string): Said => ({
  name: /^module[ \t]+"?([^\s"]+)/m.exec(text)?.[1],
});

/** `use ./a` and `use ( ./a ./b )`. */
const readGoWork = (text: string): Said => {
  const code = text.replaceAll(/\/\/[^\n]*/g, '');
  const blocks = [...code.matchAll(/^use[ \t]*\(([^)]*)\)/gm)].flatMap(([, list = '']) =>
    list.split(/\s+/),
  );
  const singles = [...code.matchAll(/^use[ \t]+([^\s(]+)[ \t\r]*$/gm)].map(([, one = '']) => one);
  return {
    isPackage: false,
    members: [...blocks, ...singles]
      .filter((folder) => folder !== '')
      .map((folder) => folder.replaceAll('"', '')),
  };
};

/** Two elements in plain places: a parser of XML would find no more. */
const readMaven = (text: string): Said => {
  const code = withoutElements(text, '<!--', '-->');
  const own = ['parent', 'dependencies', 'dependencyManagement', 'build', 'profiles'].reduce(
    (rest, element) => withoutElements(rest, `<${element}>`, `</${element}>`),
    code,
  );
  return {
    name: /<artifactId>\s*([^<\s]+)/.exec(own)?.[1],
    members: [...code.matchAll(/<module>([^<]+)<\/module>/g)].map(([, folder = '']) =>
      folder.trim(),
    ),
  };
};

const withoutElements = (xml: string, open: string, close: string): string => {
  let text = '';
  let from = 0;
  for (let at = xml.indexOf(open); at !== -1; at = xml.indexOf(open, from)) {
    text += xml.slice(from, at);
    const end = xml.indexOf(close, at);
    if (end === -1) return text;
    from = end + close.length;
  }
  return text + xml.slice(from);
};

/** `include ':app', ':lib:core'` and `include(":app")`; what is computed there is not known. */
const readGradleSettings = (text: string): Said => {
  const members: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (!isOpen && !/^\s*include\b/.test(line)) continue;
    for (const [, project = ''] of line.matchAll(/["']:?([\w.:/-]+)["']/g)) {
      members.push(project.replaceAll(':', '/'));
    }
    // A list goes on over lines that end with a comma or begin a bracket.
    isOpen = /[,(]\s*$/.test(line);
  }
  return { isPackage: false, members };
};

const plain = (kind: ManifestKind): Reader => ({ kind, read: () => ({}) });
const DOTNET = plain('dotnet');
const DOTNET_PROJECT = /\.(?:cs|fs|vb)proj$/;

const READERS: ReadonlyMap<string, Reader> = new Map([
  ['package.json', { kind: 'npm', read: readNpm }],
  ['pnpm-workspace.yaml', { kind: 'npm', read: readPnpm }],
  ['Cargo.toml', { kind: 'cargo', read: readCargo }],
  ['go.mod', { kind: 'go', read: readGoModule }],
  ['go.work', { kind: 'go', read: readGoWork }],
  ['pom.xml', { kind: 'maven', read: readMaven }],
  ['build.gradle', plain('gradle')],
  ['build.gradle.kts', plain('gradle')],
  ['settings.gradle', { kind: 'gradle', read: readGradleSettings }],
  ['settings.gradle.kts', { kind: 'gradle', read: readGradleSettings }],
  ['pyproject.toml', { kind: 'python', read: readPyproject }],
  ['setup.py', plain('python')],
  ['setup.cfg', plain('python')],
  ['composer.json', { kind: 'composer', read: readNpm }],
  ['Gemfile', plain('ruby')],
  ['mix.exs', plain('elixir')],
  ['pubspec.yaml', plain('dart')],
  ['Package.swift', plain('swift')],
]);
