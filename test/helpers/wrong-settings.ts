import type { ConfigKey } from '../../src/domain/config.ts';

/**
 * For each key of a configuration file values of a wrong type or beside its rule. The type sees to it
 * that no key is forgotten.
 */
export const WRONG_SETTINGS: Readonly<Record<ConfigKey, readonly unknown[]>> = {
  provider: [1, 'oracle', 'claude-code'],
  command: [{}, [], '', ['node', 1], 'node "a', ['./reviewer'], ['{prompt}'], 'node {promt}', ['']],
  passEnv: ['PATH', ['A B'], ['A=b']],
  parallel: ['4', 0.5, 0, -1, null],
  timeout: [true, '10 minutes', 0, '0', 1.5, '8d', '169h', '', -5],
  idleTimeout: [[], 0, '-1m'],
  maxAttempts: [null, -1, 0.5],
  lenses: ['security', [], ['Bad Smell'], ['security', 1]],
  depth: ['full', 1, null],
  deepening: ['25%', 2, -0.1, null],
  narrative: ['no', 1],
  include: ['src/', [''], [' '], [null]],
  exclude: [{}, [1]],
  failOn: [3, 'severe', 'HIGH', null],
  requireComplete: ['true', 1],
  wait: ['yes', 0],
  grace: ['soon', -1, 0.5],
  consent: ['analyzers', ['everything'], ['analyzers:rm'], [1], true],
  ui: [1, 'web', 'visible'],
  host: [true, { maxActiveSubagents: 0.5 }, { canDispatchSubagents: 'yes' }, { other: 1 }],
};
