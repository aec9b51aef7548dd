import type { AnalyzerSummary } from '../domain/analyzer-summary.ts';
import type { LogPosition } from '../domain/commit.ts';
import type { AuditId, Digest } from '../domain/ids.ts';
import type { InheritedFrom } from '../domain/inherited-from.ts';
import type { Narrative } from '../domain/narrative.ts';
import type { RuntimeCheck } from '../domain/runtime-check.ts';
import type { Settings } from '../domain/settings.ts';
import type { Synthesis } from '../domain/synthesis.ts';
import type { Spend } from '../projections/spend.ts';

/** What the reports are made of: a fold of the log up to `position`, and the synthesis. */
export type ReportInput = {
  readonly audit: AuditId;
  readonly root: {
    readonly name: string;
    readonly inventory: 'git' | 'walk';
    readonly commit?: string;
  };
  readonly inputDigest: Digest;
  readonly tool: { readonly name: string; readonly version: string };
  readonly settings: Settings;
  /** Dotted path of the audit's state; `complete` when it is over. */
  readonly state: string;
  /** Undefined until the audit is complete. */
  readonly how?: 'full' | 'partial';
  /** Why it is partial or stands still, one sentence each. */
  readonly reasons: readonly string[];
  /** Of the `AuditCompleted` line; of a partial report the commit that it was folded to. */
  readonly position: LogPosition;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly synthesis: Synthesis;
  /** What a reviewer makes of it as a whole; undefined where no model was asked. */
  readonly narrative?: Narrative | undefined;
  readonly spend: Spend;
  /** Tasks that earlier audits have reviewed. */
  readonly inherited: readonly InheritedFrom[];
  readonly analyzers: readonly AnalyzerSummary[];
  /** What running the project showed; undefined when nobody ran it. */
  readonly runtime?: readonly RuntimeCheck[] | undefined;
  /** Findings that exceed the gate. */
  readonly overGate: number;
};
