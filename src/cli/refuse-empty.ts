import { UsageError } from '../domain/usage-error.ts';
import { isBundledLens } from '../domain/vocabulary.ts';
import { deriveDisposition, includedFiles } from '../pipeline/disposition.ts';
import { isNamedBy, type Component } from '../pipeline/components.ts';
import type { Inventory } from '../pipeline/inventory.ts';
import type { Provider } from '../providers/provider.ts';
import { printable } from '../std/printable.ts';
import { shown } from '../std/shown.ts';
import { newSettings, type Asked } from './asking.ts';

/**
 * A typing error in a pattern must not look like a clean audit, and neither must a repository that
 * takes away everything.
 *
 * @throws {UsageError} when no lens or no file is left, or a component is none.
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
  if (provider.reviewer === 'analyzers' && !settings.lenses.some(isBundledLens)) {
    throw new UsageError(
      `Only an agent can look under ${settings.lenses.join(', ')}: a lens of your own says in words what to look for.`,
      "Choose one: --provider command --command 'your-agent {prompt} {answer}', or --provider handoff.",
    );
  }
  const disposition = deriveDisposition(inventory, settings);
  refuseUnknownComponents(disposition.components ?? [], asked.components ?? []);
  const isNarrow = [
    settings.include,
    settings.exclude,
    narrowing?.include,
    narrowing?.exclude,
  ].some((list) => list !== undefined && list.length > 0);
  if (!isNarrow) return;
  if (includedFiles(inventory, disposition).length > 0) return;
  throw new UsageError(
    narrowing === undefined
      ? 'No file is left to review by --include and --exclude.'
      : "No file is left to review by --include, --exclude and the repository's own configuration (a path must match both).",
    'Patterns are as in .gitignore, relative to the root: --include src/ or --include "*.ts".',
  );
};

const refuseUnknownComponents = (
  components: readonly Component[],
  asked: readonly string[],
): void => {
  const unknown = asked.find((word) => !components.some((one) => isNamedBy(one, word)));
  if (unknown === undefined) return;
  const known = components
    .slice(0, COMPONENTS_SHOWN)
    .map(({ id, name }) => printable(name === undefined || name === id ? id : `${id} (${name})`));
  throw new UsageError(
    `There is no component ${shown(unknown)} here.`,
    known.length === 0
      ? 'No manifest of a package (package.json, pyproject.toml, go.mod, ...) was found that makes one; use --include with a folder.'
      : `Components are ${known.join(', ')}${components.length > COMPONENTS_SHOWN ? ` and ${components.length - COMPONENTS_SHOWN} more (casefile plan --json)` : ''}.`,
  );
};

const COMPONENTS_SHOWN = 20;
