import { COMMAND_KINDS, type CommandKind } from '../../domain/consent.ts';
import { compareText } from '../../std/canonical-json.ts';

/** A command that a project gives for itself. */
export type ProjectCommand = {
  readonly id: string;
  readonly kind: CommandKind;
  /** Folder of the repository in which it runs; empty for the root. */
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** Folder beside its manifest without which it cannot run, where there is one. */
  readonly needs?: string | undefined;
};

/** More than these are not run: a repository of hundreds of packages has a command for all of them. */
const COMMANDS_MAX = 12;
/** Manifests further down belong to parts; their whole is tested from above. */
const DEPTH_MAX = 2;

/**
 * The commands of a project, by what its manifests say: for each kind of manifest those that lie highest.
 * Nothing is made up beyond what the tool of that manifest does by itself.
 *
 * @param paths of the audit's files. @param textOf the text of one; undefined when it cannot be read.
 */
export const projectCommands = async (
  paths: readonly string[],
  textOf: (path: string) => Promise<string | undefined>,
): Promise<readonly ProjectCommand[]> => {
  const present = new Set(paths);
  const commands: ProjectCommand[] = [];
  for (const ecosystem of ECOSYSTEMS) {
    const manifests = paths.filter((path) => ecosystem.manifest.test(nameOf(path)));
    const depth = Math.min(...manifests.map(depthOf));
    if (depth > DEPTH_MAX) continue;
    const folders = new Set<string>();
    for (const path of manifests.filter((one) => depthOf(one) === depth).toSorted(compareText)) {
      const folder = folderOf(path);
      // Several manifests of one kind in a folder are of one project.
      if (folders.has(folder)) continue;
      folders.add(folder);
      const text = (await textOf(path)) ?? '';
      const has = (name: string): boolean =>
        present.has(folder === '' ? name : `${folder}/${name}`);
      for (const [kind, command, needs] of ecosystem.commands({ text, has })) {
        const id = `${kind}:${folder === '' ? '.' : folder}:${command[0]}`;
        commands.push({ id, kind, folder, command, ...(needs !== undefined && { needs }) });
      }
    }
  }
  return commands
    .toSorted(
      (left, right) =>
        COMMAND_KINDS.indexOf(left.kind) - COMMAND_KINDS.indexOf(right.kind) ||
        compareText(left.id, right.id),
    )
    .slice(0, COMMANDS_MAX);
};

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
const depthOf = (path: string): number => path.split('/').length - 1;

type Given = { readonly text: string; readonly has: (name: string) => boolean };
type Found = readonly [
  kind: CommandKind,
  command: readonly [string, ...string[]],
  needs?: string | undefined,
];
type Ecosystem = {
  readonly manifest: RegExp;
  readonly commands: (given: Given) => readonly Found[];
};

/** Names of scripts by what they are for; of several names the first that is there. */
const SCRIPTS: Readonly<Record<CommandKind, readonly string[]>> = {
  test: ['test'],
  typecheck: ['typecheck', 'type-check', 'check:types', 'check-types', 'tsc'],
  lint: ['lint'],
  build: ['build'],
};

const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    manifest: /^package\.json$/,
    commands: ({ text, has }) => {
      const { scripts, hasDependencies } = packageOf(text);
      const manager = managerOf(has);
      const needs = hasDependencies ? 'node_modules' : undefined;
      return COMMAND_KINDS.flatMap((kind): Found[] => {
        const name = SCRIPTS[kind].find((one) => isReal(scripts[one]));
        return name === undefined ? [] : [[kind, [manager, 'run', name], needs]];
      });
    },
  },
  {
    manifest: /^go\.mod$/,
    commands: () => [
      ['test', ['go', 'test', './...']],
      ['lint', ['go', 'vet', './...']],
    ],
  },
  {
    manifest: /^Cargo\.toml$/,
    commands: () => [['test', ['cargo', 'test', '--offline']]],
  },
  {
    manifest: /^(?:pyproject\.toml|pytest\.ini|setup\.py|setup\.cfg|tox\.ini)$/,
    commands: () => [['test', ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider']]],
  },
  {
    manifest: /^pom\.xml$/,
    commands: () => [['test', ['mvn', '--batch-mode', '--offline', 'test']]],
  },
  {
    manifest: /^build\.gradle(?:\.kts)?$/,
    commands: () => [['test', ['gradle', '--offline', '--console=plain', 'test']]],
  },
  {
    manifest: /^composer\.json$/,
    commands: ({ text }) =>
      isReal(packageOf(text).scripts['test'])
        ? [['test', ['composer', 'run-script', 'test'], 'vendor']]
        : [],
  },
  {
    manifest: /^\.rspec$/,
    commands: () => [['test', ['bundle', 'exec', 'rspec', '--no-color']]],
  },
  {
    manifest: /\.sln$/,
    commands: () => [['test', ['dotnet', 'test', '--no-restore', '--nologo']]],
  },
];

/** What npm writes into a new package is no test. */
const isReal = (script: unknown): boolean =>
  (typeof script === 'string' && !/no test specified/i.test(script) && script.trim() !== '') ||
  (Array.isArray(script) && script.length > 0);

const packageOf = (
  text: string,
): { readonly scripts: Readonly<Record<string, unknown>>; readonly hasDependencies: boolean } => {
  try {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const fields = (name: string): Readonly<Record<string, unknown>> => {
      const field = value?.[name];
      return typeof field === 'object' && field !== null && !Array.isArray(field)
        ? (field as Readonly<Record<string, unknown>>)
        : {};
    };
    return {
      scripts: fields('scripts'),
      hasDependencies: ['dependencies', 'devDependencies'].some(
        (name) => Object.keys(fields(name)).length > 0,
      ),
    };
  } catch {
    return { scripts: {}, hasDependencies: false };
  }
};

const managerOf = (has: Given['has']): string => {
  if (has('pnpm-lock.yaml')) return 'pnpm';
  if (has('yarn.lock')) return 'yarn';
  return has('bun.lock') || has('bun.lockb') ? 'bun' : 'npm';
};
