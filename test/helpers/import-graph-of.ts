import { extractFile } from '../../src/pipeline/extract-file.ts';
import type { FileFacts } from '../../src/pipeline/file-facts.ts';
import { deriveImportGraph, type ImportGraph } from '../../src/pipeline/import-graph.ts';
import { createLanguageTable } from '../../src/pipeline/language.ts';

/** The facts of files in memory, by path. */
export const factsOf = async (
  files: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, FileFacts>> => {
  const languages = createLanguageTable();
  const found = await Promise.all(
    Object.entries(files).map(async ([path, text]) => {
      const language = languages.languageOf(path, text.slice(0, 8000));
      return [path, await extractFile({ path, language, text })] as const;
    }),
  );
  return new Map(
    found.filter((entry): entry is readonly [string, FileFacts] => entry[1] !== undefined),
  );
};

export const graphOf = async (files: Readonly<Record<string, string>>): Promise<ImportGraph> =>
  deriveImportGraph(Object.keys(files), await factsOf(files));

/** Edges as `from:line kind to`, with what is not plain behind. */
export const shownEdges = (graph: ImportGraph): readonly string[] =>
  graph.edges.map(({ from, line, kind, to, source, confidence }) =>
    [
      `${from}:${line} ${kind} ${to}`,
      ...(source === undefined
        ? []
        : [`[${source}${confidence === undefined ? '' : ` ${confidence}`}]`]),
    ].join(' '),
  );
