import { FROM_CALLERS, type SinkRule } from './sink.ts';

/** What it matches is an assignment by key: see `reportKeyAssignment`. */
export const prototypePollution: SinkRule = {
  id: 'flow-prototype-pollution',
  category: 'prototype-pollution',
  lens: 'security',
  severity: 'medium',
  confidence: 'medium',
  message:
    'Keys of the data lead to an object that is then written to: `__proto__` changes all objects',
  help: 'Refuse the keys `__proto__`, `constructor` and `prototype`, or use a Map or objects without a prototype.',
  sources: FROM_CALLERS,
};
