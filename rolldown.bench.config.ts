import { defineConfig } from 'rolldown';

/** The benchmarks as programs; packages stay apart, compilers among them. */
export default defineConfig({
  input: { main: 'bench/main.ts', 'plan-once': 'bench/plan-once.ts', truth: 'bench/truth.ts' },
  platform: 'node',
  external: /^[^./]/,
  output: { dir: 'dist-bench', cleanDir: true },
});
