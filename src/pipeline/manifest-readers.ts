import { parse as parseJsonc, type ParseError } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import type { ManifestFacts } from './manifest-facts.ts';

/** Takes the text of a manifest for what it says. May throw where the text is none. */
export type ManifestReader = (text: string) => ManifestFacts;

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const textsOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
};

/** With comments and trailing commas, as TypeScript takes them and others do no harm with. */
const parseJson = (text: string): Fields => {
  const errors: ParseError[] = [];
  return fieldsOf(parseJsonc(text, errors, { allowTrailingComma: true }));
};

export const readPackage: ManifestReader = (text) => {
  const fields = parseJson(text);
  const { workspaces } = fields;
  const dependencies = DEPENDENCIES.flatMap((key) => Object.entries(fieldsOf(fields[key])));
  return {
    kind: 'package',
    name: textOf(fields['name']),
    main: textOf(fields['main']),
    module: textOf(fields['module']),
    types: textOf(fields['types']) ?? textOf(fields['typings']),
    source: textOf(fields['source']),
    exports: fields['exports'],
    imports: fields['imports'],
    workspaces: textsOf(Array.isArray(workspaces) ? workspaces : fieldsOf(workspaces)['packages']),
    local: dependencies.flatMap(([name, spec]): [string, string][] => {
      const match = /^(workspace|file|link|portal):(.*)$/.exec(textOf(spec) ?? '');
      if (match === null) return [];
      return [[name, match[1] === 'workspace' ? '' : (match[2] ?? '')]];
    }),
  };
};
const DEPENDENCIES = [
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'optionalDependencies',
];

export const readPnpmWorkspace: ManifestReader = (text) => ({
  kind: 'workspaces',
  workspaces: textsOf(fieldsOf(parseYaml(text))['packages']),
});

export const readLerna: ManifestReader = (text) => ({
  kind: 'workspaces',
  workspaces: textsOf(parseJson(text)['packages']),
});

export const readTsconfig: ManifestReader = (text) => {
  const fields = parseJson(text);
  const options = fieldsOf(fields['compilerOptions']);
  const { references } = fields;
  return {
    kind: 'tsconfig',
    extends: textsOf(fields['extends']),
    baseUrl: textOf(options['baseUrl']),
    paths:
      options['paths'] === undefined
        ? undefined
        : Object.entries(fieldsOf(options['paths'])).map(([key, value]) => [key, textsOf(value)]),
    rootDirs: options['rootDirs'] === undefined ? undefined : textsOf(options['rootDirs']),
    outDir: textOf(options['outDir']),
    rootDir: textOf(options['rootDir']),
    references: Array.isArray(references)
      ? references.flatMap((reference) => textsOf(fieldsOf(reference)['path']))
      : [],
  };
};

/** Lines without comments; a block `word ( … )` counts as the word before each of its lines. */
const goDirectives = (text: string): readonly (readonly string[])[] => {
  let block: string | undefined;
  return text.split('\n').flatMap((line): string[][] => {
    const words = line
      .replace(/\/\/.*/, '')
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word) => word.replace(/^["`](.*)["`]$/, '$1'));
    const [first] = words;
    if (first === undefined) return [];
    if (first === ')') {
      block = undefined;
      return [];
    }
    if (words.at(-1) === '(') {
      block = first;
      return [];
    }
    return [block === undefined ? words : [block, ...words]];
  });
};

export const readGoModule: ManifestReader = (text) => {
  const directives = goDirectives(text);
  return {
    kind: 'go-module',
    module: directives.find(([word]) => word === 'module')?.[1] ?? '',
    replaced: directives.flatMap((words): [string, string][] => {
      const [word, from] = words;
      const target = words[words.indexOf('=>') + 1];
      const isFolder = target !== undefined && /^\.\.?(?:\/|$)/.test(target);
      return word === 'replace' && words.includes('=>') && from !== undefined && isFolder
        ? [[from, target]]
        : [];
    }),
  };
};

export const readCargo: ManifestReader = (text) => {
  const fields = fieldsOf(parseToml(text));
  const library = fieldsOf(fields['lib']);
  const targets = ['bin', 'example', 'test', 'bench'].flatMap((key) => {
    const list = fields[key];
    return Array.isArray(list) ? list.flatMap((item) => textsOf(fieldsOf(item)['path'])) : [];
  });
  const workspace = fieldsOf(fields['workspace']);
  const sections = [
    fields['dependencies'],
    fields['dev-dependencies'],
    fields['build-dependencies'],
    workspace['dependencies'],
  ];
  return {
    kind: 'cargo',
    name: textOf(fieldsOf(fields['package'])['name']),
    edition: editionOf(fields),
    library: { name: textOf(library['name']), path: textOf(library['path']) },
    targets: [...targets, ...textsOf(fieldsOf(fields['package'])['build'])],
    renamed: sections.flatMap((section) =>
      Object.entries(fieldsOf(section)).flatMap(([name, value]): [string, string][] => {
        const itself = textOf(fieldsOf(value)['package']);
        return itself === undefined ? [] : [[name, itself]];
      }),
    ),
  };
};

/** A member may say that its workspace decides: nobody starts a workspace in the first edition. */
const editionOf = (fields: Fields): string | undefined => {
  const { edition } = fieldsOf(fields['package']);
  return typeof edition === 'object' ? 'of the workspace' : textOf(edition);
};

export const readComposer: ManifestReader = (text) => {
  const fields = parseJson(text);
  const sections = [fieldsOf(fields['autoload']), fieldsOf(fields['autoload-dev'])];
  const pairs = (key: string): [string, string][] =>
    sections.flatMap((section) =>
      Object.entries(fieldsOf(section[key])).flatMap(([prefix, folders]) =>
        textsOf(folders).map((folder): [string, string] => [prefix, folder]),
      ),
    );
  return { kind: 'composer', psr4: pairs('psr-4'), psr0: pairs('psr-0') };
};

/** Where setuptools, poetry, hatch and pytest are told that modules are. */
export const readPyproject: ManifestReader = (text) => {
  const tool = fieldsOf(fieldsOf(parseToml(text))['tool']);
  const setuptools = fieldsOf(tool['setuptools']);
  const found = fieldsOf(fieldsOf(setuptools['packages'])['find']);
  const { packages } = fieldsOf(tool['poetry']);
  const pytest = fieldsOf(fieldsOf(tool['pytest'])['ini_options']);
  const wheel = fieldsOf(fieldsOf(fieldsOf(fieldsOf(tool['hatch'])['build'])['targets'])['wheel']);
  return {
    kind: 'python',
    roots: [
      ...Object.values(fieldsOf(setuptools['package-dir'])).flatMap(textsOf),
      ...textsOf(found['where']),
      ...(Array.isArray(packages)
        ? packages.flatMap((item) => textsOf(fieldsOf(item)['from']))
        : []),
      ...textsOf(pytest['pythonpath']).flatMap((value) => value.split(/\s+/)),
      ...textsOf(wheel['packages']).map((folder) => folder.replace(/\/?[^/]+\/?$/, '') || '.'),
      ...textsOf(wheel['sources']),
    ],
  };
};

/** Of setup.cfg only `[options] package_dir` and `[options.packages.find] where`. */
export const readSetupCfg: ManifestReader = (text) => {
  const roots: string[] = [];
  let key = '';
  for (const line of text.split('\n')) {
    const assigned = /^(\w+)\s*=\s*(.*)$/.exec(line);
    if (assigned !== null) key = assigned[1] ?? '';
    else if (!/^\s/.test(line)) key = '';
    const value = (assigned === null ? line : (assigned[2] ?? '')).trim();
    if (key === 'where' && value !== '') roots.push(value);
    if (key === 'package_dir') roots.push(...(/^=\s*(\S+)$/.exec(value)?.slice(1) ?? []));
  }
  return { kind: 'python', roots };
};
