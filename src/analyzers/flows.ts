import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Digest } from '../domain/ids.ts';
import type { Lead, TraceStep } from '../domain/finding.ts';
import type { Severity } from '../domain/vocabulary.ts';
import { textOf } from '../pipeline/content.ts';
import type { InventoryFile } from '../pipeline/inventory.ts';
import { isModuleLanguage } from '../pipeline/language.ts';
import { isDeclarationFile, isTrialPath as isTrialCode } from '../pipeline/shape/path-kinds.ts';
import type { Structure } from '../pipeline/structure.ts';
import { digestOfBytes } from '../platform/bytes-digest.ts';
import { NO_CACHE, type ContentCache } from '../platform/content-cache.ts';
import type { FrozenTree } from '../platform/source-tree.ts';
import { extractFlows } from '../rules/flow/extract.ts';
import { flowFacts, type FlowFacts } from '../rules/flow/flow-facts.ts';
import { linkFlows, type FlowLead } from '../rules/flow/link.ts';
import { analysisVersion } from './analysis-version.ts';
import { isTrialPath, type Analysis } from './analyzer.ts';
import { createSourceLines, type SourceLines } from './source-lines.ts';

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
  const key = keyOf(path, digest);
  const kept = parseKept(await cache.get(key));
  if (kept !== undefined) return kept;
  const bytes = await tree.read(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const facts = extractFlows(path, textOf(bytes));
  if (facts !== undefined && digestOfBytes(bytes) === digest) {
    cache.put(key, Buffer.from(JSON.stringify(facts)));
  }
  return facts;
};

/** Only the extension of a path says how a file is read. */
const keyOf = (path: string, digest: Digest): Digest => {
  const words = ['flows', analysisVersion(), path.slice(path.lastIndexOf('.') + 1), digest];
  return digestOfBytes(Buffer.from(JSON.stringify(words)));
};

const parseKept = (bytes: Uint8Array | undefined): FlowFacts | undefined => {
  if (bytes === undefined) return undefined;
  try {
    return flowFacts.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8'))).data;
  } catch {
    return undefined;
  }
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
  const sources = new Map<string, SourceLines>();
  const linesOf = async (path: string): Promise<SourceLines> => {
    const known = sources.get(path) ?? createSourceLines(textOf(await tree.read(path)));
    sources.set(path, known);
    return known;
  };
  const made: Lead[] = [];
  for (const lead of leads) {
    const { path, line } = lead.place;
    const quote = (await linesOf(path)).quote(line);
    made.push({
      ...lead,
      analyzer: 'casefile',
      severity: isTrialCode(path) || isTrialPath(path) ? atMostLow(lead.severity) : lead.severity,
      place: { path, line: quote.line },
      quote: quote.text,
      ...(lead.trace !== undefined && { trace: lead.trace.map(plainStep) }),
    });
  }
  return made;
};

const plainStep = ({ place, says }: TraceStep): TraceStep => ({ place, says });

/** Code for trying things out: a defect here harms nobody who uses the program. */
const atMostLow = (severity: Severity): Severity => (severity === 'info' ? 'info' : 'low');
