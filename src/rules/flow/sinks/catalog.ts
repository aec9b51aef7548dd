import { codeInjection } from './code-injection.ts';
import { commandInjection } from './command-injection.ts';
import { pathTraversal } from './path-traversal.ts';
import { prototypePollution } from './prototype-pollution.ts';
import { redos } from './redos.ts';
import type { SinkRule } from './sink.ts';
import { sqlInjection } from './sql-injection.ts';
import { unsafeDeserialization } from './unsafe-deserialization.ts';
import { xss } from './xss.ts';

/** Every rule that follows data. */
export const SINKS: readonly SinkRule[] = [
  commandInjection,
  codeInjection,
  pathTraversal,
  sqlInjection,
  xss,
  prototypePollution,
  unsafeDeserialization,
  redos,
];
