import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Lead } from '../domain/finding.ts';
import { textOf } from '../pipeline/content.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import { isModuleLanguage } from '../pipeline/language.ts';
import { isDeclarationFile } from '../pipeline/shape/path-kinds.ts';
import type { Structure } from '../pipeline/structure.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import { NO_CACHE, type ContentCache } from '../platform/content-cache.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { extractFlows } from '../rules/flow/extract.ts';
import { flowFacts, type FlowFacts } from '../rules/flow/flow-facts.ts';
import { linkFlows, type FlowLead } from '../rules/flow/link.ts';
import { severityAt, type Analysis } from './analyzer.ts';
import { analysisKey, keep, readKept } from './kept-analysis.ts';
import { createQuotes } from './source-lines.ts';

/** Small files take a moment; after so many of them, signals and timers get a turn. */
const FILES_A_TURN = 8;

/**
 * Follows data from outside to where it can do harm, in JavaScript and TypeScript, within each file and
 * over its imports. All files are followed, since what is asked about may get its data from what is not.
 *
 * @param given.isAsked whether leads on a file are wanted.
 */
export const followFlows = async (given: {
  readonly tree: Pick<FrozenTree, 'read'>;
  readonly files: readonly InventoryFile[];
  readonly structure: Pick<Structure, 'edges'>;
  readonly isAsked: (path: string) => boolean;
  readonly cache?: ContentCache | undefined;
}): Promise<Analysis> => {
  const { tree, isAsked, cache = NO_CACHE } = given;
  const files = given.files.filter(
    ({ path, language }) => isModuleLanguage(language) && !isDeclarationFile(path),
  );
  const facts = new Map<string, FlowFacts>();
  const unchecked: string[] = [];
  for (const [index, file] of files.entries()) {
    if (index % FILES_A_TURN === 0) await nextTurn();
    const found = await flowsOf(file, tree, cache);
    if (found === undefined) unchecked.push(file.path);
    else facts.set(file.path, found);
  }
  await cache.save();
  const targets = targetsIn(given.structure);
  const leads = linkFlows({ files: facts, targetsOf: (path) => targets.get(path) ?? [] });
  return {
    leads: await quoted(
      leads.filter(({ place }) => isAsked(place.path)),
      tree,
    ),
    incomplete: [],
    run: {
      name: 'casefile-flows',
      version: '1',
      lenses: ['security'],
      files: files.length - unchecked.length,
      status: unchecked.length === 0 ? 'done' : 'partial',
      unchecked,
    },
  };
};

/** Undefined for what no parser could read, what nobody wrote, and what is not there any more. */
const flowsOf = async (
  { path, digest }: InventoryFile,
  tree: Pick<FrozenTree, 'read'>,
  cache: ContentCache,
): Promise<FlowFacts | undefined> => {
  if (digest === undefined) return undefined;
  // Only the extension of a path says how a file is read.
  const key = analysisKey('flows', path.slice(path.lastIndexOf('.') + 1), digest);
  const kept = await readKept(cache, key, flowFacts);
  if (kept !== undefined) return kept;
  const bytes = await tree.read(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const facts = extractFlows(path, textOf(bytes));
  if (facts !== undefined && digestOfBytes(bytes) === digest) keep(cache, key, facts);
  return facts;
};

const targetsIn = ({ edges }: Pick<Structure, 'edges'>): ReadonlyMap<string, readonly string[]> => {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const known = targets.get(from);
    if (known === undefined) targets.set(from, [to]);
    else known.push(to);
  }
  return targets;
};

/** With the line of the sink, and each station's own. */
const quoted = async (
  leads: readonly FlowLead[],
  tree: Pick<FrozenTree, 'read'>,
): Promise<readonly Lead[]> => {
  const quoteAt = createQuotes(tree);
  const made: Lead[] = [];
  for (const lead of leads) {
    const { path, line } = lead.place;
    const quote = await quoteAt(path, line);
    made.push({
      ...lead,
      analyzer: 'casefile',
      severity: severityAt(path, lead.severity),
      place: { path, line: quote.line },
      quote: quote.text,
    });
  }
  return made;
};
