import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FOUND_TOOLS, findTools } from '../analyzers/found/found-tools.ts';
import { versionIn } from '../analyzers/found/run-found-tool.ts';
import { consentTo } from '../domain/consent.ts';
import { findProgram } from '../platform/find-program.ts';
import { outputOf } from '../platform/subprocess.ts';
import { commandWords } from './command-line.ts';

/** A thing that a run needs or could use, looked at without starting anything that costs. */
export type Readiness = {
  readonly id: string;
  readonly ready: boolean;
  /** What was found, or what is missing and what to do: a printable clause. */
  readonly detail: string;
};

const NODE_LEAST = [20, 19] as const;

export const nodeReadiness = (version: string): Readiness => {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const ready = major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1]);
  return {
    id: 'node',
    ready,
    detail: ready ? version : `${version}: casefile needs ${NODE_LEAST.join('.')} or newer`,
  };
};

/** A tree without git is walked, so a run is possible without the program. */
export const gitReadiness = async (path: string | undefined): Promise<Readiness> => {
  const found = findProgram('git', path);
  if (found === undefined) {
    return { id: 'git', ready: false, detail: 'not on PATH: the tree is walked as a plain folder' };
  }
  const version = await outputOf([found, '--version']);
  return { id: 'git', ready: true, detail: `${found}, ${version?.trim() ?? 'version unknown'}` };
};

/** Whether the state directory can be written, or be made where it is to be. */
export const stateReadiness = async (folder: string): Promise<Readiness> => {
  const existing = await nearestFolder(folder);
  const writable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  const what = existing === folder ? folder : `${folder} (to be made)`;
  const detail = writable ? what : `${existing} cannot be written: choose another with --state-dir`;
  return { id: 'state directory', ready: writable, detail };
};

const nearestFolder = async (folder: string): Promise<string> => {
  const found = await stat(folder).catch(() => undefined);
  const parent = dirname(folder);
  return found !== undefined || parent === folder ? folder : nearestFolder(parent);
};

/**
 * Analyzers that are found on this machine: their version, and whether they may look at the repository. They
 * are asked for their version, which none of them takes to the network.
 */
export const toolReadiness = async (given: {
  readonly path: string | undefined;
  readonly root: string;
  readonly consent: readonly string[];
}): Promise<readonly Readiness[]> =>
  Promise.all(
    [...findTools(given.path, given.root)].map(async ([id, program]) => {
      const said = await outputOf([program, ...FOUND_TOOLS[id].versionArgs]);
      const version = said === undefined ? undefined : versionIn(said);
      const ready = consentTo(given.consent, id) !== undefined;
      const what = `${program}, ${version ?? 'version unknown'}`;
      return {
        id,
        ready,
        detail: ready ? what : `${what}; it looks with --consent analyzers:${id}`,
      };
    }),
  );

/** Programs of agents that people have, and the provider that each would be. */
const AGENTS = [
  ['claude-code', 'claude'],
  ['codex', 'codex'],
  ['opencode', 'opencode'],
  ['gemini', 'gemini'],
] as const;

/**
 * Every provider: whether it could take work now. Agents are looked for and not started: asking one
 * for its version may already reach the network.
 */
export const providerReadiness = async (given: {
  readonly command: string | undefined;
  readonly path: string | undefined;
}): Promise<readonly Readiness[]> => [
  { id: 'builtin', ready: true, detail: 'the bundled analyzers; spends nothing' },
  await commandReadiness(given.command, given.path),
  { id: 'handoff', ready: true, detail: 'you, or the host that casefile runs in: casefile next' },
  { id: 'scripted', ready: false, detail: 'needs --transcript FILE; for trials without an agent' },
  ...AGENTS.map(([id, program]) => {
    const found = findProgram(program, given.path);
    const detail =
      found === undefined
        ? `${program} is not on PATH`
        : `${found} is there, and this version has no adapter for it; use provider command or handoff`;
    return { id, ready: false, detail };
  }),
];

const commandReadiness = async (
  command: string | undefined,
  path: string | undefined,
): Promise<Readiness> => {
  const id = 'command';
  if (command === undefined) {
    return {
      id,
      ready: false,
      detail: 'no command is named (--command, or "command" in your file)',
    };
  }
  const [program = ''] = (await commandWords(command)) ?? [];
  const found = findProgram(program, path);
  return found === undefined
    ? { id, ready: false, detail: `its program ${JSON.stringify(program)} is not found on PATH` }
    : { id, ready: true, detail: found };
};
