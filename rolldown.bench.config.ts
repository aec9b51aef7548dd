import { defineConfig } from 'rolldown';
import { APART } from './rolldown.config.ts';

/** The benchmarks as programs, made as the program itself is. */
export default defineConfig({
  input: { main: 'bench/main.ts', 'plan-once': 'bench/plan-once.ts' },
  platform: 'node',
  external: [...APART],
  output: { dir: 'dist-bench', cleanDir: true },
});
