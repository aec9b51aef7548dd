import type { AttemptEnd, Usage } from '../domain/attempt-end.ts';
import type { Lead } from '../domain/finding.ts';
import type { PacketBrief } from '../domain/packet-brief.ts';
import type { AccountSetting, AttemptLimits } from '../domain/settings.ts';
import type { AuditId, Token } from '../domain/ids.ts';
import type { Lens, ProviderId, Reviewer } from '../domain/vocabulary.ts';
import type { FrozenTree } from '../platform/source-tree.ts';

/** A way to get answers. One adapter a file. */
export type Provider = {
  readonly id: ProviderId;
  readonly reviewer: Reviewer;
  /** The account that its limits belong to, with the width that is known for it. */
  readonly account: AccountSetting;
  /**
   * Tokens that one attempt can hold: prompt, what is read, thoughts and answer. Packets are made to
   * fit. Undefined: not known.
   */
  readonly contextTokens?: number;
  /** Lenses that it can judge at all. */
  readonly lenses: readonly Lens[];
  /** Whether it has anything to say about files of this language under this lens. */
  readonly covers: (file: { readonly language: string }, lens: Lens) => boolean;
  /**
   * Runs one attempt to its end. Reports once, never rejects for what a worker does. Called again
   * for a token that an earlier process started, it must not launch a second time (A2).
   */
  readonly run: (job: AttemptJob, stop: AbortSignal) => Promise<ProviderReport>;
};

export type AttemptJob = {
  readonly audit: AuditId;
  readonly token: Token;
  /** With `operator`, when an earlier attempt at the packet asked for it. */
  readonly brief: PacketBrief;
  readonly prompt: string;
  readonly limits: AttemptLimits;
  /** Analyzer leads on the packet's files. */
  readonly leads: readonly Lead[];
  readonly tree: FrozenTree;
  /** Absolute path of this attempt's own folder; the provider makes it when it needs it. */
  readonly scratch: string;
};

export type ProviderReport = {
  readonly end: AttemptEnd;
  readonly answer?: Uint8Array;
  readonly stdout?: Uint8Array;
  readonly stderr?: Uint8Array;
  readonly usage?: Usage;
};
