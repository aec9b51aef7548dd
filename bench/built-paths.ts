import { join } from 'node:path';

/** The benchmarks run from `dist-bench/`. */
export const PROJECT = join(import.meta.dirname, '..');

/** The program as users start it. */
export const PROGRAM = join(PROJECT, 'dist', 'src', 'cli', 'main.js');

export const PLAN_ONCE = join(PROJECT, 'dist-bench', 'plan-once.js');
