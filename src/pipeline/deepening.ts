import { packetId, taskId, type FindingId } from '../domain/ids.ts';
import type { PlannedTask } from '../domain/events.ts';
import type { ReportedFinding } from '../domain/synthesis.ts';
import type { DeepeningEnd } from '../domain/vocabulary.ts';
import { compareText } from '../std/canonical-json.ts';
import { digestOf } from '../std/digest.ts';
import { doubtfulFindings, type Doubt } from './deepening/doubtful-findings.ts';
import { failedCommands } from './deepening/failed-commands.ts';
import { followUps } from './deepening/follow-ups.ts';
import { secondLooks } from './deepening/second-looks.ts';
import { stewards } from './deepening/stewards.ts';
import type { Causes, Wish } from './deepening/wish.ts';
import { quoteText } from './fenced.ts';
import { usableTokens, type PacketBudget } from './packet-budget.ts';
import { draftPacket, type PacketDraft } from './packets.ts';
import { promptContract, type ContextBudget } from './prompt.ts';
import type { ReviewFacts } from './review-facts.ts';
import { digestOfText, digestOfValue } from './text-digest.ts';
import { fileTokens, promptTokens, utf8Length } from './token-model.ts';
import {
  AROUND,
  buildVerificationPrompt,
  verificationContract,
  WHOLE_LINES_MAX,
  type FindingToVerify,
} from './verification-prompt.ts';

export type DeepeningInput = Causes & {
  readonly facts: ReviewFacts;
  readonly context: ContextBudget;
  readonly budget: PacketBudget;
  /** Whether a task was planned before: nothing is asked twice. */
  readonly isPlanned: (task: string) => boolean;
  /** Whether an earlier audit has answered a task: it is part of the round, and costs nothing. */
  readonly isAnswered?: ((task: string) => boolean) | undefined;
  /** Of this round, from 1, and how many there may be. */
  readonly round: number;
  readonly roundsMax: number;
  /** Estimated tokens that all of it may still come to. */
  readonly tokensLeft: number;
};

/** What a round of deepening asks, or why there is none. */
export type Deepening =
  | {
      readonly kind: 'round';
      readonly tasks: readonly PlannedTask[];
      readonly packets: readonly PacketDraft[];
    }
  | { readonly kind: 'ended'; readonly reason: DeepeningEnd };

/**
 * Plans what is looked at again after the review: findings that are worth a second pass, and parts that
 * are worth a second look. Half of what is left is kept for findings, which are cheap to verify and
 * what a report stands by; the other causes take turns, so that none of them starves another. What
 * one half does not need goes to the other.
 *
 * Everything has an identity that its cause alone makes, so it is asked once, however many rounds there
 * are; the rounds and the tokens are bounded. The same input gives the same plan in whatever order it comes.
 */
export const planDeepening = (input: DeepeningInput): Deepening => {
  const { doubts, again: wishes } = candidates(input);
  if (doubts.length + wishes.length === 0) return { kind: 'ended', reason: 'nothing-left' };
  if (input.round > input.roundsMax) return { kind: 'ended', reason: 'rounds-spent' };

  const { isAnswered = () => false } = input;
  const isOpen = ({ task }: { readonly task: PlannedTask }): boolean => !isAnswered(task.id);
  const answered = [...doubts, ...wishes].filter((one) => !isOpen(one)).map(({ task }) => task);
  const half = Math.floor(input.tokensLeft / 2);
  const first = verify(doubts.filter(isOpen), input, half);
  const again = fitting(wishes.filter(isOpen), input.tokensLeft - first.tokens);
  const rest = verify(first.left, input, input.tokensLeft - first.tokens - again.tokens);
  const packets = [...first.packets, ...rest.packets, ...again.taken.map(({ draft }) => draft)];
  if (packets.length + answered.length === 0) return { kind: 'ended', reason: 'share-spent' };
  const asked = [...first.tasks, ...rest.tasks, ...again.taken.map(({ task }) => task)];
  return { kind: 'round', tasks: [...answered, ...asked], packets };
};

/** All that a round could ask, whatever it may cost: what earlier audits may have answered. */
export const deepeningTasks = (input: DeepeningInput): readonly PlannedTask[] => {
  const { doubts, again } = candidates(input);
  return [...doubts, ...again].map(({ task }) => task);
};

const candidates = (
  input: DeepeningInput,
): { readonly doubts: readonly ToVerify[]; readonly again: readonly Again[] } => {
  const doubts = doubtfulFindings(input.findings).flatMap((doubt): readonly ToVerify[] => {
    const task = verificationTask(doubt, input);
    return task === undefined || wasAsked(doubt.finding, input) ? [] : [{ ...doubt, task }];
  });
  const wishes = inTurns([
    failedCommands(input),
    followUps(input),
    stewards(input),
    secondLooks(input),
  ]).flatMap((wish) => againOf(wish, input) ?? []);
  return { doubts, again: wishes.filter(({ task }) => !input.isPlanned(task.id)) };
};

const inTurns = <Item>(lists: readonly (readonly Item[])[]): readonly Item[] => {
  const longest = lists.reduce((most, list) => Math.max(most, list.length), 0);
  return Array.from({ length: longest }).flatMap((_, turn) =>
    lists.flatMap((list) => list.slice(turn, turn + 1)),
  );
};

/** The beginning of a list that a number of tokens is enough for. */
const fitting = (asked: readonly Again[], tokensMax: number) => {
  const taken: Again[] = [];
  let tokens = 0;
  for (const one of asked) {
    if (tokens + one.draft.tokens > tokensMax) continue;
    tokens += one.draft.tokens;
    taken.push(one);
  }
  return { taken, tokens };
};

type Again = { readonly task: PlannedTask; readonly draft: PacketDraft };

/** A task that reads files once more, in a packet of its own: as many of them as it has room for. */
const againOf = (wish: Wish, input: DeepeningInput): Again | undefined => {
  const { facts, context, budget, round } = input;
  const why = whyLine(wish);
  let room = usableTokens(budget, context) - promptTokens(utf8Length(why)) - WORDS_TOKENS;
  const paths: string[] = [];
  for (const path of wish.paths) {
    const file = facts.fileOf(path);
    if (file?.digest === undefined) continue;
    room -= tokensIn(path, wish, facts);
    if (room < 0) break;
    paths.push(path);
  }
  if (paths.length === 0) return undefined;
  const content = paths.map((path) => [path, facts.fileOf(path)?.digest ?? '']);
  const contract = promptContract(wish.lens, facts.guideOf);
  const words = ['deepening', wish.trigger, wish.key, wish.lens, contract, content];
  const task: PlannedTask = {
    id: taskId.parse(`t-${digestOf(words).slice(0, 16)}`),
    kind: 'deepening',
    unit: wish.unit,
    lens: wish.lens,
    paths,
    ...(wish.ranges !== undefined && { ranges: wish.ranges }),
    about: { trigger: wish.trigger, round },
  };
  const againOfTask = (id: string): string | undefined => (id === task.id ? why : undefined);
  return { task, draft: draftPacket([task], { ...facts, againOf: againOfTask }, context) };
};

/** The words about a task and its files in the prompt. */
const WORDS_TOKENS = 1000;

const tokensIn = (path: string, { ranges = [] }: Wish, facts: ReviewFacts): number => {
  const range = ranges.find((one) => one.path === path);
  const part = range && facts.partOf(range);
  const file = facts.fileOf(path);
  return part?.tokens ?? (file === undefined ? 0 : fileTokens(file));
};

/** As one line of JSON, whatever the reviewers wrote. */
const whyLine = ({ trigger, lens, why }: Wish): string =>
  `{${Object.entries({ trigger, lens, ...why })
    .map(([name, value]) => `"${name}":${jsonOf(value)}`)
    .join(',')}}`;

const jsonOf = (value: unknown): string => {
  if (typeof value === 'string') return quoteText(value);
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, one]) => `"${name}":${jsonOf(one)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value);
};

type ToVerify = Doubt & { readonly task: PlannedTask };

/** Undefined for a finding whose file is not in the inventory as something to read. */
const verificationTask = (
  { finding, trigger }: Doubt,
  { facts, round }: DeepeningInput,
): PlannedTask | undefined => {
  const { path } = finding.place;
  const digest = facts.fileOf(path)?.digest;
  const [lens] = finding.lenses;
  if (digest === undefined || lens === undefined) return undefined;
  return {
    id: verificationTaskId(finding, digest),
    kind: 'verification',
    unit: `finding:${finding.id}`,
    lens,
    paths: [path],
    about: { trigger, round, finding: { id: finding.id, severity: finding.severity } },
  };
};

/** Under its own id, or under another that it had when it was asked about. */
const wasAsked = (
  { id, aliases = [], place }: ReportedFinding,
  { facts, isPlanned }: DeepeningInput,
): boolean => {
  const digest = facts.fileOf(place.path)?.digest ?? '';
  return [id, ...aliases].some((one) => isPlanned(verificationTaskId({ id: one }, digest)));
};

/** By the finding and the content of its file: told again in other words it is the same question. */
const verificationTaskId = (finding: { readonly id: FindingId }, digest: string) =>
  taskId.parse(
    `t-${digestOf(['verification', verificationContract(), finding.id, digest]).slice(0, 16)}`,
  );

/**
 * Packets that verify findings, the most severe first as far as the tokens go. Findings of one file go
 * into one packet, which reads it once.
 */
const verify = (
  doubts: readonly ToVerify[],
  { facts, budget }: DeepeningInput,
  tokensMax: number,
): {
  readonly tasks: readonly PlannedTask[];
  readonly packets: readonly PacketDraft[];
  readonly tokens: number;
  readonly left: readonly ToVerify[];
} => {
  for (let count = doubts.length; count > 0; count = fewer(count)) {
    const chosen = doubts.slice(0, count).toSorted(byPlace);
    const groups = grouped(chosen, facts, budget);
    const packets = groups.map((group) => draftVerification(group.map(itemOf(facts)), facts));
    const tokens = packets.reduce((sum, packet) => sum + packet.tokens, 0);
    if (tokens <= tokensMax) {
      return { tasks: chosen.map(({ task }) => task), packets, tokens, left: doubts.slice(count) };
    }
  }
  return { tasks: [], packets: [], tokens: 0, left: doubts };
};

/** A tenth less: so the search costs no more than a constant number of tries over the whole. */
const fewer = (count: number): number => Math.min(count - 1, Math.floor(count * 0.9));

const byPlace = ({ finding: left }: ToVerify, { finding: right }: ToVerify): number =>
  compareText(left.place.path, right.place.path) ||
  left.place.line - right.place.line ||
  compareText(left.id, right.id);

/** With more than these a reader judges by habit. */
const FINDINGS_MAX = 10;

const grouped = (
  chosen: readonly ToVerify[],
  facts: ReviewFacts,
  budget: PacketBudget,
): readonly (readonly ToVerify[])[] => {
  const groups: ToVerify[][] = [];
  let room = 0;
  let last = '';
  for (const one of chosen) {
    const group = groups.at(-1);
    const { path } = one.finding.place;
    const cost = (path === last ? 0 : readTokens(one.finding, facts)) + FINDING_TOKENS;
    if (group === undefined || cost > room || group.length >= FINDINGS_MAX) {
      groups.push([one]);
      room = budget.tokensMax - readTokens(one.finding, facts) - FINDING_TOKENS - PROMPT_TOKENS;
    } else {
      group.push(one);
      room -= cost;
    }
    last = path;
  }
  return groups;
};

/** At most what one finding can come to in a prompt, and what stands around the findings. */
const FINDING_TOKENS = promptTokens(4500);
const PROMPT_TOKENS = promptTokens(6000);

/** What reading a file for one finding comes to: all of it, or what is around the finding. */
const readTokens = (
  { place }: Pick<ReportedFinding, 'place'>,
  { fileOf }: Pick<ReviewFacts, 'fileOf'>,
): number => {
  const file = fileOf(place.path);
  if (file === undefined) return 0;
  if (file.lines <= WHOLE_LINES_MAX) return fileTokens(file);
  const lines = 2 * AROUND + (place.endLine ?? place.line) - place.line + 1;
  return Math.ceil(fileTokens(file) * Math.min(1, lines / file.lines));
};

const itemOf =
  ({ fileOf }: ReviewFacts) =>
  ({ task, finding }: ToVerify): FindingToVerify => ({
    task: task.id,
    finding,
    lines: fileOf(finding.place.path)?.lines ?? 0,
  });

/** A packet of findings to verify; as with every packet, its id is a digest of all that it asks. */
export const draftVerification = (
  items: readonly FindingToVerify[],
  facts: Pick<ReviewFacts, 'fileOf'>,
): PacketDraft => {
  const tasks = items.map(({ task }) => taskId.parse(task));
  const promptFor = buildVerificationPrompt(items);
  const id = packetId.parse(
    `p-${digestOfValue([tasks, digestOfText(promptFor(''))]).slice(0, 16)}`,
  );
  const promptText = promptFor(id);
  let tokens = promptTokens(utf8Length(promptText));
  let last = '';
  for (const { finding } of items) {
    const { path } = finding.place;
    const isLong = (facts.fileOf(path)?.lines ?? 0) > WHOLE_LINES_MAX;
    if (path !== last || isLong) tokens += readTokens(finding, facts);
    last = path;
  }
  return { id, tasks, tokens, promptText };
};
