import type { FoundToolName } from '../../domain/consent.ts';
import type { InventoryFile } from '../../pipeline/inventory.ts';

/**
 * How to run a program that is found on the machine over a repository that must not be obeyed: its settings
 * are ours and named explicitly, its files are named or its walk asks no ignore file, and it is kept from the
 * network as far as it can be told.
 *
 * It runs in a folder of its own, so that nothing is looked for where it stands; paths are absolute.
 */
export type FoundTool = {
  /** Its name on PATH too. */
  readonly name: FoundToolName;
  /** What makes it say its version. */
  readonly versionArgs: readonly string[];
  readonly wants: (file: Pick<InventoryFile, 'path' | 'language' | 'encoding'>) => boolean;
  /** Whether each file that it wants is named on its command line; else it walks the copy. */
  readonly namesFiles: boolean;
  /** Files of ours that it needs, by name; they lie in its folder. */
  readonly ownFiles?: Readonly<Record<string, string>>;
  /** One call, or why there is none. */
  readonly launch: (given: LaunchFacts) => ToolLaunch | string;
};

export type LaunchFacts = {
  /** Absolute folder of the frozen copy. */
  readonly tree: string;
  /** Absolute folder of the program's own files, where it runs. */
  readonly scratch: string;
  /** Paths of files that it wants, relative to the tree; where it names them, those of this call. */
  readonly paths: readonly string[];
  /** Whether the copy has a file, whatever its kind. */
  readonly hasFile: (path: string) => boolean;
  /** Whether an absolute path lies in the audited repository. */
  readonly isOfRepository: (path: string) => boolean;
  /** The same paths, as they are named to it. */
  readonly files: readonly string[];
  /** As the program says it; undefined when it says none. */
  readonly version: string | undefined;
  /** Of the operator. */
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export type ToolLaunch = {
  readonly args: readonly string[];
  /** Instead of the program's own folder. */
  readonly cwd?: string;
  /** Where its report comes: on stdout, or in this file of its folder. */
  readonly report: 'stdout' | { readonly file: string };
  readonly environment?: Readonly<Record<string, string>>;
  /** Exit codes with which it has done its work, found something or not. */
  readonly exitCodes: readonly number[];
  /** Clauses for exit codes that say what is missing. */
  readonly failures?: Readonly<Record<number, string>>;
  /** Nothing on stdout means that nothing was found. */
  readonly mayBeSilent?: boolean;
};
