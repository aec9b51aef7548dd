import { UsageError } from '../domain/usage-error.ts';
import { deriveDisposition, includedFiles } from '../pipeline/disposition.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import type { Provider } from '../providers/provider.ts';
import { newSettings, type Asked } from './asking.ts';

/**
 * A typing error in a pattern must not look like a clean audit, and neither must a repository that
 * takes away everything.
 *
 * @throws {UsageError} when no lens or no file is left.
 */
export const refuseEmptyQuestion = (
  inventory: Inventory,
  asked: Asked,
  provider: Provider,
): void => {
  const settings = newSettings(asked, provider);
  const { narrowing } = asked;
  if (settings.lenses.length === 0) {
    throw new UsageError(
      `No lens is left: asked for are ${(asked.lenses ?? provider.lenses).join(', ')}, and the repository's configuration leaves only ${narrowing?.lenses?.join(', ') ?? 'none'}.`,
      `Ask for one of these with --lenses, choose a provider that has them, or change "lenses" in the repository's configuration.`,
    );
  }
  const isNarrow = [
    settings.include,
    settings.exclude,
    narrowing?.include,
    narrowing?.exclude,
  ].some((list) => list !== undefined && list.length > 0);
  if (!isNarrow) return;
  if (includedFiles(inventory, deriveDisposition(inventory, settings)).length > 0) return;
  throw new UsageError(
    narrowing === undefined
      ? 'No file is left to review by --include and --exclude.'
      : "No file is left to review by --include, --exclude and the repository's own configuration (a path must match both).",
    'Patterns are as in .gitignore, relative to the root: --include src/ or --include "*.ts".',
  );
};
