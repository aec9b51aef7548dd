import type { AccountId, EventNumber, FindingId, PacketId, TaskId, Token } from './ids.ts';
import type { Obligation } from './vocabulary.ts';

/** What can be explained: the audit, or one thing in it. */
export type Subject =
  | { readonly kind: 'audit' }
  | { readonly kind: 'task'; readonly id: TaskId }
  | { readonly kind: 'packet'; readonly id: PacketId }
  /** `tasks`: those whose accepted results state it. `aliases`: other fingerprints that it goes by. */
  | {
      readonly kind: 'finding';
      readonly id: FindingId;
      readonly aliases: readonly FindingId[];
      readonly tasks: readonly TaskId[];
    }
  | { readonly kind: 'attempt'; readonly id: Token }
  | { readonly kind: 'event'; readonly id: EventNumber }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'obligation'; readonly id: Obligation };

export type SubjectKind = Subject['kind'];
export type SubjectOf<Kind extends SubjectKind> = Extract<Subject, { kind: Kind }>;
