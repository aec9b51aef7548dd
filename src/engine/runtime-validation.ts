import type { AuditState } from '../decider/state.ts';
import { heldRuntimeUpdates } from '../decider/held-inputs.ts';
import { consentedCommands, type CommandKind } from '../domain/consent.ts';
import type { EventNumber } from '../domain/ids.ts';
import type { RuntimeCheck } from '../domain/runtime-check.ts';
import { parseRuntimeUpdates } from '../domain/runtime-updates.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import { importedChecks } from '../pipeline/runtime/imported-checks.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { required } from '../std/assert.ts';
import { printable } from '../std/printable.ts';
import type { BlobStore } from '../store/blob-store.ts';
import type { Artifacts } from './artifacts.ts';

export type RunCommands = (
  given: {
    readonly kinds: readonly CommandKind[];
    readonly tree: FrozenTree;
    readonly inventory: Inventory;
  },
  stop: AbortSignal,
) => Promise<readonly RuntimeCheck[]>;

/**
 * What running the project shows: its own commands, each once and only with consent, and what others have
 * handed in. What was run before is not run again when something is handed in later.
 */
export const validateByRunning = async (
  state: AuditState,
  stop: AbortSignal,
  parts: {
    readonly artifacts: Artifacts;
    readonly blobs: BlobStore;
    readonly runCommands?: RunCommands | undefined;
    readonly verifiedTree: (state: AuditState) => Promise<FrozenTree>;
  },
): Promise<{
  readonly checks: readonly RuntimeCheck[];
  readonly incomplete: readonly string[];
  readonly consumed: readonly EventNumber[];
}> => {
  const { artifacts, blobs } = parts;
  const settings = required(state.settings, 'I4: an audit has settings');
  const inventory = await artifacts.get(state, 'inventory');
  const { units } = await artifacts.get(state, 'structure');
  const kinds = consentedCommands(settings.consent);
  const before = (await artifacts.find(state, 'runtimeValidation'))?.checks;
  const own =
    before ??
    (kinds.length === 0 || parts.runCommands === undefined
      ? []
      : await parts.runCommands({ kinds, tree: await parts.verifiedTree(state), inventory }, stop));
  const files = inventory.files.map(({ path }) => path);
  const byUnit = new Map(units.map((unit) => [unit.id, unit.files]));
  const held = heldRuntimeUpdates(state);
  const checks = new Map(own.map((check) => [keyOf(check), check]));
  const incomplete: string[] = [];
  for (const { name, content } of held) {
    const read = parseRuntimeUpdates(await blobs.get(content.digest));
    if (read.kind === 'refused') {
      incomplete.push(`Nothing of ${printable(name, 200)} was used. ${read.message}`);
      continue;
    }
    const given = {
      importedFrom: name,
      files,
      pathsOfUnit: (unit: string): readonly string[] => byUnit.get(unit) ?? [],
    };
    for (const check of importedChecks(read.value, given)) checks.set(keyOf(check), check);
  }
  for (const { command, verdict, why, importedFrom } of checks.values()) {
    if (importedFrom !== undefined || verdict === 'passed' || verdict === 'failed') continue;
    const words = verdict === 'notRun' ? 'was not run' : 'came to no end';
    incomplete.push(`The command "${printable(command, 200)}" ${words}: ${why}.`);
  }
  return { checks: [...checks.values()], incomplete, consumed: held.map(({ of }) => of) };
};

/** Ours and others' never take each other's place. */
const keyOf = ({ id, importedFrom }: RuntimeCheck): string =>
  `${importedFrom === undefined ? 'own' : 'other'} ${id}`;
