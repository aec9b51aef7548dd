import { required } from '../std/assert.ts';
import type { Settings } from '../domain/settings.ts';
import type { SkippedGroup } from '../domain/synthesis.ts';
import type { LensDefinition } from '../domain/lens-definition.ts';
import {
  inLensOrder,
  isBundledLens,
  type FileRole,
  type Lens,
  type Reviewer,
} from '../domain/vocabulary.ts';
import { createCellGroups } from './cell-groups.ts';
import { createComponentOf, isNamedBy, type Component } from './components.ts';
import { notAsked, type DepthRules } from './depth.ts';
import { roleOf } from './lens-selection.ts';
import { matcher, type Disposition } from './disposition.ts';
import type { Inventory } from './inventory.ts';
import type { Structure } from './structure.ts';
import type { AskedFile } from './work-groups.ts';

/** What is asked, of whom, about what. */
export type CellsInput = {
  readonly inventory: Inventory;
  readonly disposition: Disposition;
  readonly structure: Pick<Structure, 'units'>;
  readonly settings: Pick<Settings, 'lenses' | 'ownLenses' | 'reviewer' | 'components'>;
  /** Whether the provider has anything to say about a language under a lens. */
  readonly covers: (
    file: { readonly path: string; readonly language: string },
    lens: Lens,
  ) => boolean;
  /**
   * Whether the analyzers really looked at a cell that they cover: one that failed must not look
   * like one that found nothing. By default they did.
   */
  readonly didCheck?: (
    file: { readonly path: string; readonly language: string },
    lens: Lens,
  ) => boolean;
  /** Why a file is not reviewed where only a part of the repository is; undefined: it is. */
  readonly whyNotSelected?: ((path: string) => string | undefined) | undefined;
};

/**
 * Decides on every (file, lens) cell: asked for, or skipped or unchecked with a reason.
 *
 * @param whyNot of the depth that was chosen.
 */
export const askCells = (input: CellsInput, whyNot: DepthRules['whyNot']) => {
  const lenses = inLensOrder(input.settings.lenses);
  const isInScope = createScope(input.disposition.components, input.settings.components);
  const whyNotOwn = createOwnRules(input.settings.ownLenses);
  const units = new Map(
    input.structure.units.flatMap(({ id, files }) => files.map((file) => [file, id])),
  );
  const statuses = new Map(input.disposition.files.map((file) => [file.path, file]));
  const skipped = createCellGroups<Pick<SkippedGroup, 'by' | 'reason'>>();
  const unchecked = createCellGroups<Pick<SkippedGroup, 'reason'>>();
  const unreadable: string[] = [];
  const asked: AskedFile[] = [];
  for (const file of input.inventory.files) {
    const { status, reason } = required(
      statuses.get(file.path),
      'each file of the inventory has a disposition',
    );
    if (status !== 'included') {
      if (status === 'unreadable') unreadable.push(file.path);
      skipped.add(file.path, lenses, { by: 'disposition', reason });
      continue;
    }
    if (!isInScope(file.path)) {
      skipped.add(file.path, lenses, { by: 'selection', reason: OUT_OF_SCOPE });
      continue;
    }
    const notSelected = input.whyNotSelected?.(file.path);
    if (notSelected !== undefined) {
      skipped.add(file.path, lenses, { by: 'selection', reason: notSelected });
      continue;
    }
    const role = roleOf(file);
    const under: Lens[] = [];
    const notUnder = new Map<string, Lens[]>();
    for (const one of lenses) {
      const not = !input.covers(file, one)
        ? NOT_COVERED[input.settings.reviewer]
        : isBundledLens(one)
          ? whyNot(role, one)
          : whyNotOwn(one, role, file.path);
      if (not !== undefined) notUnder.set(not, [...(notUnder.get(not) ?? []), one]);
      else if (input.didCheck?.(file, one) === false) {
        unchecked.add(file.path, [one], { reason: NOT_CHECKED });
      } else under.push(one);
    }
    for (const [reason, not] of notUnder) {
      skipped.add(file.path, not, { by: 'selection', reason });
    }
    if (under.length === 0) continue;
    const unit = required(units.get(file.path), 'each included file is in a unit');
    asked.push({ file, unit, lenses: under });
  }
  return { lenses, skipped, unchecked, unreadable, asked };
};

const OUT_OF_SCOPE = 'in no component that is asked for';

/** Whether a file is in one of the components that are asked for; none: all are. */
const createScope = (
  components: readonly Component[] = [],
  asked: readonly string[] | undefined,
): ((path: string) => boolean) => {
  if (asked === undefined) return () => true;
  const componentOf = createComponentOf(components);
  const named = new Set(components.filter((one) => asked.some((word) => isNamedBy(one, word))));
  return (path) => {
    const component = componentOf(path);
    return component !== undefined && named.has(component);
  };
};

/** A lens of the operator's own is asked of the files that it names, at every depth. */
const createOwnRules = (definitions: readonly LensDefinition[] = []) => {
  const rules = new Map(
    definitions.map(({ id, roles, paths }) => [
      id as Lens,
      { roles: new Set(roles), isNamed: paths === undefined ? () => true : matcher(paths) },
    ]),
  );
  return (lens: Lens, role: FileRole, path: string): string | undefined => {
    const { roles, isNamed } = required(rules.get(lens), 'each lens of its own has a definition');
    if (!roles.has(role)) return notAsked(role);
    return isNamed(path) ? undefined : `not among the paths of lens ${lens}`;
  };
};

const NOT_CHECKED = 'its analyzer failed on it';
const NOT_COVERED: Readonly<Record<Reviewer, string>> = {
  analyzers: 'no bundled analyzer checks this language under this lens',
  agent: 'the provider does not review this language under this lens',
};
