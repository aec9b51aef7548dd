import type { Rule } from '../../rule.ts';
import type { Node } from '../../../pipeline/imports/ecmascript-program.ts';
import type { SinkKind } from '../sink-kind.ts';
import type { SourceKind, Value } from '../value.ts';

/** A call as rules see it. */
export type SinkCall = {
  readonly node: Node;
  /** The last name of what is called. */
  readonly name: string | undefined;
  readonly line: number;
  readonly isNew: boolean;
  readonly isMember: boolean;
  readonly callee: Value;
  readonly self: Value;
  readonly given: readonly Value[];
  /** Arguments that are plain text. */
  readonly texts: readonly (string | undefined)[];
  readonly nodes: readonly (Node | undefined)[];
};

/** A value that arrives where it may do harm. */
export type Arrival = {
  readonly value: Value;
  readonly says: string;
  /** Only data that is a part of something else does harm. */
  readonly isComposedOnly?: boolean;
};

/** Where data of some sources may do harm of a kind. */
export type SinkRule = Rule & {
  readonly category: SinkKind;
  readonly sources: ReadonlySet<SourceKind>;
  readonly match?: (call: SinkCall) => readonly Arrival[];
  /** Whether putting data into a member of this name does harm. */
  readonly assigned?: (member: string) => boolean;
};

export const NONE: readonly Arrival[] = [];

export const isApi = (call: SinkCall, pattern: RegExp): boolean =>
  [...call.callee.apis].some((api) => pattern.test(api));

export const ANY_SOURCE: ReadonlySet<SourceKind> = new Set<SourceKind>([
  'request',
  'network',
  'argv',
  'environment',
  'parameter',
]);
export const FROM_OUTSIDE: ReadonlySet<SourceKind> = new Set<SourceKind>(['request', 'network']);
export const FROM_CALLERS: ReadonlySet<SourceKind> = new Set<SourceKind>([
  'request',
  'network',
  'parameter',
]);
