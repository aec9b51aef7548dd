import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = {
  allowJs: true,
  resolveJsonModule: true,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  target: ts.ScriptTarget.ESNext,
};

/**
 * Which file leads to which in a folder, as `from to`, by the compiler's own scanner and resolution.
 * From code it looks for types first; a program loads what stands beside them.
 */
export const typescriptGraph = (
  folder: string,
  files: Readonly<Record<string, string>>,
  given: ts.CompilerOptions = {},
): ReadonlySet<string> => {
  const options = { ...OPTIONS, ...given };
  const cache = ts.createModuleResolutionCache(folder, (name) => name, options);
  const pairs = new Set<string>();
  for (const [path, text] of Object.entries(files)) {
    if (!/\.[cm]?[jt]sx?$/.test(path)) continue;
    const found = ts.preProcessFile(text, true, true);
    const from = join(folder, path);
    const targets = [
      ...[...found.importedFiles.map(({ fileName }) => fileName), ...namespaceExports(text)].map(
        (fileName) => {
          const { resolvedModule } = ts.resolveModuleName(fileName, from, options, ts.sys, cache);
          return resolvedModule?.resolvedFileName;
        },
      ),
      ...found.referencedFiles.map(({ fileName }) => join(from, '..', fileName)),
    ];
    for (const target of targets) {
      if (target === undefined || !target.startsWith(`${folder}/`)) continue;
      const inner = target.slice(folder.length + 1);
      if (inner.includes('node_modules/')) continue;
      const to = /\.[cm]?tsx?$/.test(path) ? inner : codeBeside(folder, inner);
      if (to !== path && to in files) pairs.add(`${path} ${to}`);
    }
  }
  return pairs;
};

/** The compiler's quick scanner leaves out `export * as x from 'y'`; its parser does not. */
const namespaceExports = (text: string): readonly string[] =>
  !/export\s+\*\s+as/.test(text)
    ? []
    : ts
        .createSourceFile('x.ts', text, ts.ScriptTarget.ESNext)
        .statements.flatMap((statement) =>
          ts.isExportDeclaration(statement) &&
          statement.moduleSpecifier !== undefined &&
          ts.isStringLiteral(statement.moduleSpecifier)
            ? [statement.moduleSpecifier.text]
            : [],
        );

const codeBeside = (folder: string, path: string): string => {
  const code = path.replace(/\.d\.([cm]?)ts$/, '.$1js');
  return existsSync(join(folder, code)) ? code : path;
};
