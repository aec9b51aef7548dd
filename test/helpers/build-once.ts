import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'rolldown';
import { APART } from '../../rolldown.config.ts';
import { PROJECT, WORKERS } from './built-paths.ts';

/** Tests that start processes run the built program, so it is built once before any of them. */
export default async function buildOnce(): Promise<void> {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: PROJECT, stdio: 'inherit' });
  await build({
    input: ['attempt-orchestrator', 'epoch-racer'].map((name) =>
      join(import.meta.dirname, `${name}.ts`),
    ),
    platform: 'node',
    external: [...APART],
    output: { dir: WORKERS, cleanDir: true },
    logLevel: 'warn',
  });
}
