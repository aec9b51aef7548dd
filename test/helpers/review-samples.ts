import type { Lens } from '../../src/domain/vocabulary.ts';
import type { Digest } from '../../src/domain/ids.ts';
import type { PacketBrief } from '../../src/domain/packet-brief.ts';
import type { Disposition } from '../../src/pipeline/disposition.ts';
import type { Inventory, InventoryFile } from '../../src/pipeline/inventory.ts';
import { deriveInventory } from '../../src/pipeline/inventory.ts';
import type { PlanningInput } from '../../src/pipeline/planning.ts';
import { sha256Hex } from '../../src/std/digest.ts';
import { compareText } from '../../src/std/canonical-json.ts';

/** Small inventories, plans and answers for the tests of the review pipeline. */

export const sourceFile = (path: string, fields: Partial<InventoryFile> = {}): InventoryFile => ({
  path,
  kind: 'file',
  tracked: true,
  size: 3000,
  lines: 100,
  encoding: 'text',
  language: 'JavaScript',
  marks: [],
  digest: sha256Hex(path) as Digest,
  ...fields,
});

/** One unit a top folder; every file included but those in `skipped`, with their status. */
export const planningInput = (
  files: readonly InventoryFile[],
  fields: Partial<PlanningInput['settings']> = {},
  skipped: Readonly<Record<string, Disposition['files'][number]['status']>> = {},
): PlanningInput => {
  const inventory: Inventory = deriveInventory(files, { inventory: 'git' });
  const units = new Map<string, string[]>();
  for (const { path } of inventory.files) {
    if (skipped[path] !== undefined) continue;
    const unit = path.split('/').slice(0, -1).join('/') || '.';
    units.set(unit, [...(units.get(unit) ?? []), path]);
  }
  return {
    inventory,
    disposition: {
      files: inventory.files.map(({ path }) => ({
        path,
        status: skipped[path] ?? 'included',
        reason: `it is ${skipped[path] ?? 'included'}`,
      })),
    },
    structure: {
      units: [...units]
        .toSorted(([left], [right]) => compareText(left, right))
        .map(([id, paths]) => ({ id, files: paths })),
      edges: [],
    },
    settings: { lenses: ['security', 'correctness'], reviewer: 'agent', ...fields },
    covers: () => true,
  };
};

const hex = (number: number): string => number.toString(16).padStart(16, '0');

/** A brief with one task a lens, all over the same files. */
export const brief = (
  lenses: readonly Lens[],
  files: Readonly<Record<string, string>>,
): PacketBrief => ({
  contract: 'casefile/packet/v1',
  answerVersion: 1,
  packet: `p-${hex(1)}`,
  promptDigest: sha256Hex('prompt'),
  tasks: lenses.map((lens, index) => ({
    id: `t-${hex(index + 1)}`,
    kind: 'review',
    lens,
    unit: 'src',
    files: Object.entries(files).map(([path, text]) => ({
      path,
      lines: text === '' ? 0 : text.replace(/\n$/, '').split('\n').length,
      digest: sha256Hex(text),
    })),
  })),
});

export const statedFinding = (fields: Readonly<Record<string, unknown>> = {}) => ({
  title: 'The balance is not checked',
  category: 'missing-check',
  severity: 'high',
  confidence: 'high',
  path: 'src/pay.js',
  line: 2,
  quote: 'account.balance -= amount;',
  explanation: 'An account can be overdrawn.',
  ...fields,
});

export const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
