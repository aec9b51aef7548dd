import { execFileSync } from 'node:child_process';
import { writeFiles } from './temporary-folder.ts';

/** Runs git as an unconfigured user would; returns stdout. */
export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', [...IDENTITY, ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });

/** Makes the folder a repository with these files in its first commit. */
export const initRepository = async (
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> => {
  await writeFiles(folder, files);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all', '--force');
  git(folder, 'commit', '--quiet', '--message', 'Begin');
};

const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always'];
