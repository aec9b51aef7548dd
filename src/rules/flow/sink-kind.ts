/** What can go wrong where data arrives. The words are those of `Lead.category`. */
export const SINK_KINDS = [
  'command-injection',
  'code-injection',
  'path-traversal',
  'sql-injection',
  'xss',
  'prototype-pollution',
  'unsafe-deserialization',
  'redos',
] as const;
export type SinkKind = (typeof SINK_KINDS)[number];

export const ALL_KINDS: ReadonlySet<SinkKind> = new Set(SINK_KINDS);
