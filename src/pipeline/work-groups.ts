import { compareText } from '../std/canonical-json.ts';
import { required } from '../std/assert.ts';
import type { PlannedTask } from '../domain/events.ts';
import { taskId } from '../domain/ids.ts';
import type { LensDefinition } from '../domain/lens-definition.ts';
import { inLensOrder, LENSES, type Lens } from '../domain/vocabulary.ts';
import { agglomerate, type Bond } from './agglomerate.ts';
import { definitionLinesOf } from './definition-lines.ts';
import type { InventoryFile } from './inventory.ts';
import { createLensGuide } from './lens-guide.ts';
import { filePromptBytes, promptContract, taskPromptBytes } from './prompt.ts';
import { splitFile, type DefinitionLines, type FilePart } from './split-file.ts';
import { digestOfText, digestOfValue } from './text-digest.ts';
import { splitLines } from './text-lines.ts';
import { fileTokens, promptTokens } from './token-model.ts';

/** An included file that some task is to look at. */
export type AskedFile = {
  readonly file: InventoryFile;
  readonly unit: string;
  /** In their order. */
  readonly lenses: readonly Lens[];
};

/** A file of a group, or the part of one. */
export type WorkItem = { readonly file: InventoryFile; readonly part?: FilePart | undefined };

/**
 * Tasks over the same few files, that are never torn apart: so a file is read for one packet, whatever
 * the lenses.
 */
export type WorkGroup = {
  readonly unit: string;
  readonly items: readonly WorkItem[];
  readonly tasks: readonly PlannedTask[];
  /** Estimated tokens of the files and of all that the tasks add to a prompt. */
  readonly tokens: number;
};

export type WorkGroups = {
  /** By unit and first path; the parts of a file by their lines. */
  readonly groups: readonly WorkGroup[];
  readonly splits: readonly { readonly path: string; readonly reason: string }[];
};

/** Texts and definitions of the files that must be cut. */
export type SplitSources = {
  /** Undefined: the file is cut into equal stretches. */
  readonly textOf: (path: string) => string | undefined;
  /** None: by names and indentation. */
  readonly definitionsOf: (path: string) => readonly DefinitionLines[];
};

/** What a packet holds beside its prompt, and the lenses beside ours that its files can have. */
export type Room = {
  readonly tokens: number;
  readonly ownLenses?: readonly LensDefinition[] | undefined;
};

/** How files are grouped does not hang on what is asked: there is room for every lens. */
const lensesOf = ({ ownLenses = [] }: Room): readonly Lens[] => [
  ...LENSES,
  ...ownLenses.map(({ id }) => id),
];

/** A task's files; about what a reviewer keeps in mind at once. */
const GROUP_FILES_MAX = 15;
const GROUP_LINES_MAX = 3000;
const GROUP_TOKENS_MAX = 16_000;

/**
 * Groups files that belong together, within their unit, and makes their tasks: one for each lens. A
 * file that nothing binds to another is a group of its own, so that one which is added changes no
 * other group, task or id. A file that is too large for a packet is cut into parts, each a group.
 *
 * @param asked sorted by path. @param bonds name them by index.
 */
export const groupWork = (
  asked: readonly AskedFile[],
  bonds: readonly Bond[],
  room: Room,
  sources: SplitSources,
): WorkGroups => {
  const all = lensesOf(room);
  const tokensMax = room.tokens - tasksTokens(all);
  const idOf = createTaskIds(room.ownLenses);
  const costs = asked.map(({ file, lenses }) => itemTokens({ file }, lenses.length));
  const isSplit = costs.map((cost) => cost > tokensMax);
  const sizes = asked.map(({ file }, index) => [costs[index] ?? 0, 1, file.lines]);
  const limits = [Math.min(tokensMax, GROUP_TOKENS_MAX), GROUP_FILES_MAX, GROUP_LINES_MAX];
  const near = bonds.filter(
    ({ from, to }) =>
      isSplit[from] === false && isSplit[to] === false && asked[from]?.unit === asked[to]?.unit,
  );
  const splits: { path: string; reason: string }[] = [];
  const groups = agglomerate(sizes, near, limits).flatMap((indexes): readonly WorkGroup[] => {
    const files = indexes.map((index) => required(asked[index], 'a group is of asked files'));
    const [first] = files;
    if (first === undefined || isSplit[indexes[0] ?? 0] !== true) return [wholeGroup(files, idOf)];
    const { parts, reason, textOf } = splitInto(first.file, tokensMax, all.length, sources);
    splits.push({ path: first.file.path, reason });
    return parts.map((part) => partGroup(first, part, textOf(part), idOf));
  });
  return {
    groups: groups.toSorted(
      (left, right) =>
        compareText(left.unit, right.unit) ||
        compareText(left.items[0]?.file.path ?? '', right.items[0]?.file.path ?? ''),
    ),
    splits,
  };
};

/** Tells whether a file would be cut: its text is needed before the plan is made. */
export const oversizedIn = (room: Room): ((file: InventoryFile) => boolean) => {
  const all = lensesOf(room);
  const tokens = room.tokens - tasksTokens(all);
  return (file) => itemTokens({ file }, all.length) > tokens;
};

/** What the lines of a group's tasks can come to in a prompt, under all lenses. */
const tasksTokens = (lenses: readonly Lens[]): number =>
  promptTokens(lenses.reduce((sum, lens) => sum + taskPromptBytes(lens), 0));

/** The widest words about a part: its lines and the definitions around it. */
const PART_WORDS_TOKENS = promptTokens(2700);
const PART_TOKENS_MIN = 200;

const itemTokens = ({ file, part }: WorkItem, tasks: number): number =>
  (part?.tokens ?? fileTokens(file)) +
  promptTokens(filePromptBytes({ path: file.path, lines: file.lines, part }, tasks));

const wholeGroup = (files: readonly AskedFile[], idOf: TaskIdOf): WorkGroup => {
  const unit = files[0]?.unit ?? '';
  // Most lenses are asked of all files, so most tasks have the same content.
  let ofAll: string | undefined;
  const asked = inLensOrder(files.flatMap(({ lenses }) => lenses));
  const tasks = asked.flatMap((lens) => {
    const under = files.filter(({ lenses }) => lenses.includes(lens));
    const task = {
      kind: 'review' as const,
      unit,
      lens,
      paths: under.map(({ file }) => file.path),
    };
    if (under.length < files.length) return [{ id: idOf(task, contentOf(under)), ...task }];
    ofAll ??= contentOf(files);
    return [{ id: idOf(task, ofAll), ...task }];
  });
  return sized(
    unit,
    files.map(({ file }) => ({ file })),
    tasks,
  );
};

const contentOf = (files: readonly AskedFile[]): string =>
  digestOfValue(files.map(({ file }) => [file.path, file.digest ?? '']));

const partGroup = (
  { file, unit, lenses }: AskedFile,
  part: FilePart,
  text: string,
  idOf: TaskIdOf,
): WorkGroup => {
  const { path, line, endLine, bytes } = part;
  const range = { path, line, endLine, ...(bytes && { bytes }) };
  const content = digestOfValue([path, digestOfText(text), line, endLine, bytes?.from ?? 0]);
  const tasks = lenses.map((lens) => {
    const task = { kind: 'review' as const, unit, lens, paths: [path], ranges: [range] };
    return { id: idOf(task, content), ...task };
  });
  return sized(unit, [{ file, part }], tasks);
};

/** The group with only some of its tasks, and what these read; undefined without any. */
export const narrowGroup = (
  group: WorkGroup,
  isWanted: (task: PlannedTask) => boolean,
): WorkGroup | undefined => {
  const tasks = group.tasks.filter(isWanted);
  if (tasks.length === 0) return undefined;
  if (tasks.length === group.tasks.length) return group;
  const paths = new Set(tasks.flatMap((task) => task.paths));
  return sized(
    group.unit,
    group.items.filter(({ file }) => paths.has(file.path)),
    tasks,
  );
};

const sized = (
  unit: string,
  items: readonly WorkItem[],
  tasks: readonly PlannedTask[],
): WorkGroup => ({
  unit,
  items,
  tasks,
  tokens:
    items.reduce((sum, item) => sum + itemTokens(item, tasks.length), 0) +
    promptTokens(tasks.reduce((sum, { lens }) => sum + taskPromptBytes(lens), 0)),
});

type TaskIdOf = (
  task: Pick<PlannedTask, 'kind' | 'lens' | 'unit'>,
  content: string,
) => PlannedTask['id'];

/**
 * A task's id: the digest of what is asked, with the words that it is asked in.
 *
 * @returns content: digest of the files with theirs; of a part, of its own text and where it stands.
 */
const createTaskIds = (ownLenses: readonly LensDefinition[] = []): TaskIdOf => {
  const guideOf = createLensGuide(ownLenses);
  const contracts = new Map<Lens, string>();
  return ({ kind, lens, unit }, content) => {
    const contract = contracts.get(lens) ?? promptContract(lens, guideOf);
    contracts.set(lens, contract);
    return taskId.parse(`t-${digestOfValue([kind, lens, contract, unit, content]).slice(0, 16)}`);
  };
};

const splitInto = (file: InventoryFile, room: number, lensCount: number, sources: SplitSources) => {
  const text = sources.textOf(file.path);
  const lines = text === undefined ? evenLines(file) : splitLines(text);
  const named = sources.definitionsOf(file.path);
  const words = filePromptBytes({ ...file, part: undefined }, lensCount);
  const { parts, reason } = splitFile({
    path: file.path,
    language: file.language,
    lines,
    definitions: named.length > 0 ? named : definitionLinesOf(lines),
    tokensMax: Math.max(PART_TOKENS_MIN, room - promptTokens(words) - PART_WORDS_TOKENS),
  });
  return {
    parts,
    reason: text === undefined ? `${reason}; its text could not be read` : reason,
    textOf: ({ line, endLine, bytes }: FilePart): string => {
      // The whole file's digest stands for a text that is not there.
      if (text === undefined) return file.digest ?? '';
      const own = lines.slice(line - 1, endLine).join('\n');
      if (bytes === undefined) return own;
      return new TextDecoder().decode(new TextEncoder().encode(own).subarray(bytes.from, bytes.to));
    },
  };
};

/** Lines of the right number and length, for a file whose text cannot be had. */
const evenLines = ({ lines, size }: InventoryFile): readonly string[] => {
  const line = ' '.repeat(Math.max(0, Math.ceil(size / Math.max(lines, 1)) - 1));
  return Array.from({ length: Math.max(lines, 1) }, () => line);
};
