import { z } from 'zod';
import { depth } from './depth.ts';
import { auditId, packetId } from './ids.ts';
import { inheritedFrom } from './inherited-from.ts';
import { selectedFiles, selection } from './selection.ts';
import { lens, providerId } from './vocabulary.ts';

const count = z.int().nonnegative();

/** A range: what is likely lies between the two. */
const range = z.strictObject({ low: count, high: count });
const risk = z.number().min(0).max(10);
export type Range = z.infer<typeof range>;

/** The one object that `plan --json` prints. */
export const planOutput = z.strictObject({
  contract: z.literal('casefile/plan/v1'),
  audit: auditId,
  /** Dotted path of the audit's state. */
  state: z.string(),
  provider: providerId,
  depth,
  /** Every file once. */
  files: z.strictObject({
    total: count,
    byStatus: z.record(z.string(), count),
    /** Files that some task is about. */
    asked: count,
  }),
  /** Where only what changed is asked about: what that was, and what is reviewed since. */
  selection: selection.extend({ selected: selectedFiles }).optional(),
  /** Files that nobody is to look at, by what they are and why; most files first. */
  excluded: z.array(
    z.strictObject({
      status: z.string(),
      reason: z.string(),
      files: count,
      /** The first three paths. */
      examples: z.array(z.string()),
    }),
  ),
  /** Parts of the tree that build or ship on their own, by folder. */
  components: z.array(
    z.strictObject({ id: z.string(), kind: z.string(), name: z.string().optional() }),
  ),
  /**
   * Pieces of the tree that have tasks, the riskiest first, else in the order of their packets. `risk`: of
   * the riskiest of their files, from 0 to 10.
   */
  units: z.array(
    z.strictObject({ id: z.string(), files: count, tasks: count, packets: count, risk }),
  ),
  /** `cells`: files under the lens. */
  lenses: z.array(z.strictObject({ lens, tasks: count, cells: count })),
  tasks: count,
  /** Tasks that an earlier audit has answered: they are in no packet. */
  inherited: z.array(inheritedFrom).min(1).optional(),
  /** (file, lens) cells: in tasks, left out with a reason, and not looked at by a failed analyzer. */
  cells: z.strictObject({ total: count, asked: count, skipped: count, unchecked: count }),
  /** What is still to be done: packets that are neither settled nor given up. */
  left: z.strictObject({ packets: count, tasks: count }),
  /** Input tokens when every packet that is left is read once; tokenizers of models differ by as much. */
  tokens: range,
  /** No price is known to this version, and unknown is not zero. */
  costUsd: z.null(),
  /**
   * How long what is left would take; absent where nothing is waited for. `measured`: attempts of this provider in
   * audits of this folder, their p10 and p90. `assumed`: nothing is known yet.
   */
  time: z
    .strictObject({
      basis: z.enum(['measured', 'assumed']),
      /** Attempts that were measured. */
      attempts: count,
      width: z.int().positive(),
      packetMs: range,
      totalMs: range,
    })
    .optional(),
  /** Files larger than a packet, and how they were cut. */
  splits: z.array(z.strictObject({ path: z.string(), reason: z.string(), parts: count })),
  /** Cells that nobody is to look at. */
  skipped: z.array(
    z.strictObject({
      by: z.string(),
      reason: z.string(),
      lenses: z.array(lens),
      files: count,
    }),
  ),
  /** In the order in which they are to be started. */
  packets: z.array(
    z.strictObject({
      id: packetId,
      status: z.string(),
      /** Of the riskiest of its files. */
      risk,
      tokens: count,
      tasks: count,
      units: z.array(z.string()),
      lenses: z.array(lens),
      files: count,
    }),
  ),
});
export type PlanOutput = z.infer<typeof planOutput>;
