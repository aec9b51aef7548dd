import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAnalyzerReport } from '../../pipeline/analyzer-reports/read-report.ts';
import type {
  ReportedItem,
  ReportedPlace,
  ToolRun,
} from '../../pipeline/analyzer-reports/tool-run.ts';
import type { InventoryFile } from '../../pipeline/inventory.ts';
import { isWithin } from '../../platform/is-within.ts';
import { isPlainText } from '../../platform/path-bytes.ts';
import { readNamedFile } from '../../platform/read-regular-file.ts';
import type { ProgramReport, RunProgram } from '../../platform/subprocess.ts';
import { counted } from '../../std/counted.ts';
import { messageOf } from '../../std/message-of.ts';
import { printable } from '../../std/printable.ts';
import { fileBatches } from '../file-batches.ts';
import type { FoundTool, ToolLaunch } from './found-tool.ts';

/** What a program that was found made of the copy. */
export type FoundRun =
  | {
      readonly kind: 'ran';
      readonly version: string | undefined;
      readonly run: ToolRun;
      readonly checked: readonly string[];
      readonly unchecked: readonly string[];
      /** Why some were not checked, a clause each. */
      readonly reasons: readonly string[];
    }
  /** It was not started: it would not do what we ask of it. */
  | { readonly kind: 'not-run'; readonly version: string | undefined; readonly reason: string };

export type FoundToolCall = {
  readonly program: string;
  /** Absolute folder of the frozen copy. */
  readonly tree: string;
  /** The files that may be looked at. */
  readonly files: readonly InventoryFile[];
  readonly hasFile: (path: string) => boolean;
  /** Absolute; the audited repository. */
  readonly root: string;
  /** Absolute folder for what it needs and leaves. */
  readonly scratch: string;
  /** Of the operator. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly runProgram: RunProgram;
  readonly timeoutMs?: number;
  readonly reportBytesMax?: number;
};

const TIMEOUT_MS = 300_000;
/** What a report may have at most; more is no report that anybody could read. */
const REPORT_BYTES_MAX = 1 << 26;
const VERSION_MS = 20_000;

/**
 * Runs a program over the copy and reads what it reports. It fails in all the ways in which programs fail, and
 * each is told: files that it did not get to are unchecked, and its report counts as far as it goes.
 */
export const runFoundTool = async (tool: FoundTool, call: FoundToolCall): Promise<FoundRun> => {
  await mkdir(call.scratch, { recursive: true });
  // A new one each time: nothing that lies in one of before is obeyed, and nothing need be deleted.
  const scratch = await mkdtemp(join(call.scratch, `${tool.name}-`));
  for (const [name, text] of Object.entries(tool.ownFiles ?? {})) {
    await writeFile(join(scratch, name), text);
  }
  const version = await versionOf(tool, call, scratch);
  const wanted = call.files.filter(tool.wants).map(({ path }) => path);
  const paths = wanted.filter(isPlainText);
  const unnamed = wanted.filter((path) => !isPlainText(path));
  const tree = await realpath(call.tree);
  const items: ReportedItem[] = [];
  const leftOut: ToolRun['leftOut'][number][] = [];
  const checked: string[] = [];
  const unchecked = tool.namesFiles ? [...unnamed] : [];
  const reasons = new Set<string>();
  if (unchecked.length > 0) reasons.add('names that are not UTF-8 cannot be given to it');
  const batches = tool.namesFiles ? fileBatches(paths.map((path) => join(tree, path))) : [paths];
  for (const batch of batches) {
    const batchPaths = tool.namesFiles ? batch.map((file) => file.slice(tree.length + 1)) : batch;
    const { hasFile, environment, root } = call;
    const isOfRepository = (path: string): boolean => isWithin(path, root) || isWithin(path, tree);
    const launch = tool.launch({
      tree,
      scratch,
      paths: batchPaths,
      files: batch,
      hasFile,
      isOfRepository,
      version,
      environment,
    });
    if (typeof launch === 'string') return { kind: 'not-run', version, reason: launch };
    const outcome = await outcomeOf(launch, scratch, call);
    if (typeof outcome === 'string') {
      reasons.add(outcome);
      unchecked.push(...batchPaths);
      continue;
    }
    checked.push(...batchPaths);
    for (const one of outcome) {
      items.push(...one.items.map((item) => inTree(item, tree)));
      leftOut.push(...one.leftOut);
      if (one.trouble !== undefined) reasons.add(one.trouble);
    }
  }
  return {
    kind: 'ran',
    version,
    run: { tool: tool.name, version, items, leftOut },
    checked,
    unchecked,
    reasons: [...reasons],
  };
};

const versionOf = async (
  { versionArgs }: FoundTool,
  { program, runProgram }: FoundToolCall,
  cwd: string,
): Promise<string | undefined> => {
  const ended = await runProgram({
    program,
    args: versionArgs,
    cwd,
    environment: OFFLINE,
    timeoutMs: VERSION_MS,
    outputBytesMax: 1 << 20,
  });
  return ended.kind === 'done' ? versionIn(new TextDecoder().decode(ended.stdout)) : undefined;
};

/** The first thing in a text that looks like a version. */
export const versionIn = (text: string): string | undefined =>
  /\d{1,4}\.\d{1,4}(?:\.\d{1,4})?(?:[-+][\w.]{1,30})?/.exec(text.slice(0, 2000))?.[0];

/** What reads these variables finds nobody who takes it to the network. */
const OFFLINE: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'].map(
      (name) => [name, 'http://127.0.0.1:9'],
    ),
  ),
  NO_PROXY: undefined,
  no_proxy: undefined,
};

/** What the call reported, or a clause about how it failed. */
const outcomeOf = async (
  launch: ToolLaunch,
  scratch: string,
  call: FoundToolCall,
): Promise<readonly ToolRun[] | string> => {
  const bytesMax = call.reportBytesMax ?? REPORT_BYTES_MAX;
  const timeoutMs = call.timeoutMs ?? TIMEOUT_MS;
  const ended = await call.runProgram({
    program: call.program,
    args: launch.args,
    cwd: launch.cwd ?? scratch,
    environment: { ...OFFLINE, ...launch.environment },
    timeoutMs,
    outputBytesMax: bytesMax,
  });
  const trouble = troubleOf(ended, launch, timeoutMs);
  if (trouble !== undefined || ended.kind !== 'done') return trouble ?? 'it did not end';
  let bytes = ended.stdout;
  if (launch.report !== 'stdout') {
    try {
      bytes = await readNamedFile(join(scratch, launch.report.file), bytesMax);
    } catch (error) {
      return `it left no report that can be read (${messageOf(error)})`;
    }
  }
  if (launch.mayBeSilent === true && isBlank(bytes)) return [];
  const read = readAnalyzerReport(bytes);
  if (read.kind === 'read') return read.runs;
  return isBlank(bytes) ? 'it wrote no report' : 'what it wrote is no report that can be read';
};

const isBlank = (bytes: Uint8Array): boolean =>
  bytes.length < 100 && new TextDecoder().decode(bytes).trim() === '';

const troubleOf = (
  ended: ProgramReport,
  { exitCodes, failures = {} }: ToolLaunch,
  timeoutMs: number,
): string | undefined => {
  switch (ended.kind) {
    case 'missing':
      return `it could not be started (${printable(ended.message, 200)})`;
    case 'timed-out':
      return `it was ended after ${Math.round(timeoutMs / 1000)} s`;
    case 'ended':
      return ended.by === 'signal' ? `a signal ended it (${ended.message})` : ended.message;
    case 'done':
      if (exitCodes.includes(ended.exitCode)) return undefined;
      return failures[ended.exitCode] ?? `it ended with code ${ended.exitCode}${lastWords(ended)}`;
  }
};

/** The last line that it wrote on stderr says most often what was wrong. */
const lastWords = ({ stderr }: { readonly stderr: Uint8Array }): string => {
  const lines = new TextDecoder().decode(stderr.subarray(-4000)).split(/\r\n|\r|\n/);
  const last = lines.findLast((line) => line.trim() !== '');
  return last === undefined ? '' : `: ${printable(last.trim(), 200)}`;
};

/** Paths in the copy are paths of the repository. */
const inTree = (item: ReportedItem, tree: string): ReportedItem => ({
  ...item,
  place: placeInTree(item.place, tree),
  ...(item.trace && {
    trace: item.trace.map((step) => ({ ...step, place: placeInTree(step.place, tree) })),
  }),
});

const placeInTree = (place: ReportedPlace, tree: string): ReportedPlace =>
  place.path.startsWith(`${tree}/`) ? { ...place, path: place.path.slice(tree.length + 1) } : place;

/** In one sentence, what a run of it did not do; undefined when it did all. */
export const shortfall = (name: string, ran: FoundRun): string | undefined => {
  if (ran.kind === 'not-run') return `${name} was not run: ${ran.reason}.`;
  if (ran.reasons.length === 0) return undefined;
  const files =
    ran.unchecked.length === 0
      ? 'may have missed something'
      : `did not check ${counted(ran.unchecked.length, 'file')}`;
  return `${name} ${files}: ${ran.reasons.join('; ')}.`;
};
