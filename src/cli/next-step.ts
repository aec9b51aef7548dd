import { tellBlocker } from '../domain/blocker.ts';
import type { HostValues } from '../domain/config-merge.ts';
import { resolveHostActiveSubagentLimit } from '../domain/host-limit.ts';
import { nextStep, type NextStep, type StepPacket } from '../domain/next-step.ts';
import { claimPackets } from '../engine/hand-off-claims.ts';
import { answerSchemaPath, openPackets, type HandOff } from '../engine/hand-offs.ts';
import type { AuditState } from '../decider/state.ts';
import { findProgram } from '../platform/find-program.ts';
import type { Clock } from '../platform/clock.ts';
import type { Disk } from '../platform/disk.ts';
import { required } from '../std/assert.ts';
import { counted } from '../std/counted.ts';
import { isoTime } from '../std/instant-text.ts';
import { commandLine } from './command-line.ts';
import { offerPackets } from './offer-packets.ts';
import { coolsUntil } from './progress.ts';
import type { RunResult } from './run-result.ts';
import { commandTo, wayTo } from './way-to.ts';

export type Host = {
  /** Tells hosts apart that work on one audit at once; undefined: it claims nothing. */
  readonly name: string | undefined;
  readonly can: HostValues;
  readonly parallel: number | undefined;
};

type Given = {
  readonly result: RunResult;
  readonly host: Host;
  readonly disk: Disk;
  readonly clock: Clock;
};

/** Workers of a host at a time, when it can have some and nobody says how many. */
const SUBAGENTS_UNKNOWN = 3;

/** The one bounded step that a host can take now. Writes the packets that it offers as files. */
export const nextStepOf = async (given: Given): Promise<NextStep> =>
  // In the order of the schema, which is how people read it.
  nextStep.parse(await describeStep(given));

const describeStep = async (given: Given): Promise<NextStep> => {
  const { result } = given;
  const { state, paths } = result;
  const base = {
    contract: 'casefile/next/v1' as const,
    audit: required(state.opened, 'I4: an audit is open').audit,
    seq: result.lastSeq,
    state: state.lifecycle.path,
    packets: [],
    progress: progressOf(state),
    report: { ...paths },
  };
  const commands = commandsOf(given);
  if (state.completed !== undefined) {
    return {
      ...base,
      kind: 'complete',
      summary: `The audit is complete${state.completed.how === 'partial' ? ', in part' : ''}.`,
      stopCondition: 'Nothing is left to do but to tell of the report.',
      allowedCommands: [commands.status],
    };
  }
  const { blocker } = state;
  if (blocker?.question !== undefined) {
    return {
      ...base,
      kind: 'question',
      summary: blocker.message,
      question: blocker.question,
      blocker: tellBlocker(blocker),
      stopCondition: 'A person has answered. Never answer in their place.',
      allowedCommands: [commands.answer(blocker.question.id), commands.next],
    };
  }
  if (blocker !== undefined && blocker.waitsFor !== 'hand-off') {
    return {
      ...base,
      kind: 'blocked',
      summary: `${blocker.message} ${blocker.remedy}`,
      blocker: tellBlocker(blocker),
      stopCondition: 'The cause is mended, and casefile run has taken the audit up again.',
      allowedCommands: [commands.status],
    };
  }
  if (blocker === undefined) {
    const until = state.lifecycle.path === 'cooldown' ? coolsUntil(state) : undefined;
    return {
      ...base,
      kind: 'wait',
      ...waiting(state),
      ...(until !== undefined && { waitUntil: until }),
      allowedCommands: [commands.next],
    };
  }
  return review(given, base, commands);
};

/** What is waited for, and what ends it. */
const waiting = ({
  leases,
  lifecycle,
}: AuditState): Pick<NextStep, 'summary' | 'stopCondition'> => {
  if (leases.size > 0) {
    return {
      summary: `Attempts of an earlier process are open (${counted(leases.size, 'lease')}).`,
      stopCondition: 'They have ended, or casefile run has found out that they are lost.',
    };
  }
  return lifecycle.path === 'cooldown'
    ? {
        summary: 'A limit holds; nothing can be started before it is over.',
        stopCondition: 'The limit is over.',
      }
    : {
        summary: 'Nothing is left that a host could do; casefile run goes on with it.',
        stopCondition: 'casefile run has gone on with it.',
      };
};

type Base = Omit<NextStep, 'kind' | 'summary' | 'stopCondition' | 'allowedCommands'>;

const review = async (
  given: Given,
  base: Base,
  commands: ReturnType<typeof commandsOf>,
): Promise<NextStep> => {
  const { result, host, disk, clock } = given;
  const { state, files } = result;
  const open = openPackets(state);
  const count = widthOf(host);
  const now = clock.now();
  const holdMs = required(state.settings, 'I4: an audit has settings').limits.wallMs;
  const claiming = { disk, files, host: host.name, packets: open, count, now, holdMs };
  const { packets, busyUntil } = await claimPackets(claiming);
  if (packets.length === 0) {
    return {
      ...base,
      kind: 'wait',
      summary: 'Every open packet is with another host.',
      ...(busyUntil !== undefined && { waitUntil: isoTime(busyUntil) }),
      stopCondition: 'Another host has handed its answer in, or its time is over.',
      allowedCommands: [commands.next],
    };
  }
  const { handOffs, tree } = await offerPackets(disk, result, packets);
  const offered = handOffs.map((handOff) => stepPacket(handOff, tree, host.can, commands));
  const [first] = offered;
  return {
    ...base,
    kind: 'review',
    summary: `Review ${counted(offered.length, 'packet')}, each by its prompt, and hand the answers in.`,
    promptPath: first?.promptPath ?? '',
    answerPath: first?.answerPath ?? '',
    schemaPath: answerSchemaPath(files),
    tree,
    packets: offered,
    stopCondition:
      'Each answer lies at its answerPath and its check accepts it; they are ingested. Then ask for the next step.',
    allowedCommands: [
      ...offered.map(({ check }) => check),
      commands.ingest(offered.map(({ answerPath }) => answerPath)),
      commands.next,
    ],
  };
};

/** How many packets are offered at once; `parallel` of the user's file says it of any worker. */
const widthOf = ({ can, parallel }: Host): number => {
  if (can.canDispatchSubagents !== true) return 1;
  const limit = resolveHostActiveSubagentLimit({
    explicit: can.maxActiveSubagents,
    config: { parallel_workers: parallel },
    env: process.env,
  });
  return limit?.activeSubagents ?? SUBAGENTS_UNKNOWN;
};

const stepPacket = (
  handOff: HandOff,
  tree: string,
  can: HostValues,
  commands: ReturnType<typeof commandsOf>,
): StepPacket => ({
  ...handOff,
  lenses: [...handOff.lenses],
  check: commands.check(handOff, tree),
  ...(can.canRestrictSubagentTools === true && {
    access: { read: [handOff.promptPath, tree], write: [handOff.answerPath] },
  }),
  ...(can.canSelectSubagentModel === true && { model: modelFor(handOff) }),
});

/** By what there is to read; a point of view that has to follow data is never a small model's. */
const modelFor = ({ tokens, lenses }: HandOff): NonNullable<StepPacket['model']> => {
  if (tokens > 40_000) return 'deep';
  return tokens > 8_000 || lenses.includes('security') ? 'standard' : 'small';
};

const progressOf = ({ counts, tasks, packets }: AuditState): NextStep['progress'] => ({
  tasks: {
    open: counts.tasks.open,
    settled: tasks.size - counts.tasks.open,
    total: tasks.size,
  },
  packets: {
    open: packets.size - counts.packets.settled - counts.packets.abandoned,
    total: packets.size,
  },
});

/** They are carried out later, in whatever folder: each names all that it is about. */
const commandsOf = ({ result: { place, state }, host }: Given) => {
  const way = wayTo(place, required(state.opened, 'I4: an audit is open').audit);
  const program = commandLine(invocation());
  const line = (...words: readonly [string, ...string[]]): string =>
    `${program} ${commandTo(way, ...words)}`;
  return {
    next: `${line('next')} ${commandLine([...hostWords(host), '--json'])}`,
    status: line('status'),
    answer: (id: string) => line('answer', id, 'VALUE'),
    ingest: (paths: readonly string[]) => line('ingest', ...paths),
    check: ({ answerPath, packetPath }: HandOff, tree: string) =>
      `${program} ${commandLine(['check', answerPath, '--packet', packetPath, '--tree', tree])}`,
  };
};

/** How this program can be called again: by its name where that is on PATH, else as it was called. */
const invocation = (): readonly string[] => {
  const script = process.argv[1];
  const isInstalled = findProgram('casefile', process.env['PATH']) !== undefined;
  return isInstalled || script === undefined ? ['casefile'] : [process.execPath, script];
};

/** The flags that tell who asks, as they were given. */
const hostWords = ({ name, can }: Host): readonly string[] => [
  ...flagOf('--host-name', name),
  ...flagOf('--host-can-dispatch-subagents', can.canDispatchSubagents),
  ...flagOf('--host-can-restrict-subagent-tools', can.canRestrictSubagentTools),
  ...flagOf('--host-can-select-subagent-model', can.canSelectSubagentModel),
  ...flagOf('--host-max-active-subagents', can.maxActiveSubagents),
];

const flagOf = (flag: string, value: string | number | boolean | undefined): readonly string[] =>
  value === undefined ? [] : [flag, String(value)];
