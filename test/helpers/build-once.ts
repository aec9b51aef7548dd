import { execFileSync } from 'node:child_process';

/** Tests that start processes run the built program, so it is built once before any of them. */
export default function buildOnce(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
}
