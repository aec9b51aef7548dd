import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '..', '..');

/** The program as users start it. */
export const PROGRAM = join(PROJECT, 'dist', 'src', 'cli', 'main.js');

/** Where the helpers lie that run as processes or threads of their own, which do not read TypeScript. */
export const WORKERS = join(PROJECT, 'dist-test');
