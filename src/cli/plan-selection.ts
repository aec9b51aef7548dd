import {
  baseWords,
  nothingChanged,
  type SelectedFiles,
  type Selection,
} from '../domain/selection.ts';
import { counted } from '../std/counted.ts';

/** What a plan says of its selection, where only what changed is asked about. */
type SelectedView = {
  readonly selection?: (Selection & { readonly selected: SelectedFiles }) | undefined;
};

export const selectedView = (
  selection: Selection | undefined,
  selected: SelectedFiles | undefined,
): SelectedView =>
  selection === undefined || selected === undefined
    ? {}
    : { selection: { ...selection, selected } };

export const selectedLines = ({ selection }: SelectedView): readonly string[] => {
  if (selection === undefined) return [];
  const nothing = nothingChanged(selection);
  if (nothing !== undefined) return [`  selection  ${nothing}`];
  const { changed, deleted, selected } = selection;
  const gone = deleted.length === 0 ? '' : `, ${deleted.length} deleted`;
  const beyond = selected.beyond.length;
  return [
    `  selection  changed ${baseWords(selection)}: ${counted(changed.length, 'file')}${gone}`,
    `             to review: ${selected.changed.length} of them, and ${counted(selected.near.length, 'file')} near${beyond === 0 ? '' : ` (${beyond} more are near, and beyond the bound)`}`,
  ];
};
