import type { InheritedResult, PlannedPacket, PlannedTask } from '../domain/events.ts';
import type { Instant, PacketId, TaskId, Token } from '../domain/ids.ts';
import { assert, InvariantViolation, required } from '../std/assert.ts';
import type {
  AcceptedResult,
  AuditState,
  PacketRecord,
  PacketStatus,
  TaskRecord,
  TaskStatus,
} from './state.ts';
import { insertWaiting, removeWaiting, type Waiting } from './waiting-list.ts';

/**
 * Tasks and packets: which are open, which wait for a start, which are settled.
 *
 * The plain twin of `machines/attempt.machine.ts`. Every change of a status goes through `moveTask`
 * or `movePacket`, which keep the counts and the lists that the scheduler reads.
 */

export const addTask = (state: AuditState, planned: PlannedTask): void => {
  assert(!state.tasks.has(planned.id), `I1: task ${planned.id} is planned once`);
  const { id, kind, unit, lens, paths, ranges, about } = planned;
  const isStale = state.drifted.size > 0 && paths.some((path) => state.drifted.has(path));
  const status = isStale ? 'stale' : planned.inherited === undefined ? 'open' : 'accepted';
  // Field by field: a replay makes many thousands, and a spread costs several times as much.
  state.tasks.set(id, {
    id,
    kind,
    unit,
    lens,
    paths,
    ranges,
    about,
    status,
    packet: undefined,
    result: planned.inherited && inheritedResult(state, planned.inherited),
    reason: undefined,
  });
  state.counts.tasks[status] += 1;
  const judged = planned.inherited?.judgement;
  if (judged === undefined || status !== 'accepted') return;
  const { finding, verdict, severity } = judged;
  state.verdicts.set(finding, { verdict, ...(severity !== undefined && { severity }) });
};

/** Only results of agents are inherited: what analyzers say costs nothing to be said again. */
const inheritedResult = (
  { seq }: AuditState,
  { audit, event, digest, result, provider }: InheritedResult,
): AcceptedResult => ({
  of: seq,
  blob: result,
  provider,
  reviewer: 'agent',
  inherited: { audit, event, digest },
});

export const addPacket = (state: AuditState, spec: PlannedPacket): void => {
  assert(!state.packets.has(spec.id), `I1: packet ${spec.id} is planned once`);
  const replaced = spec.replaces === undefined ? undefined : packetOf(state, spec.replaces);
  if (replaced !== undefined) {
    assert(replaced.lease === undefined, 'I6: a packet that is replaced has no open lease');
    movePacket(state, replaced, 'settled');
  }
  const packet: PacketRecord = {
    spec,
    order: replaced?.order ?? state.nextOrder,
    status: 'ready',
    openTasks: 0,
    attempts: replaced?.attempts ?? 0,
    counted: replaced?.counted ?? 0,
    retryAt: undefined,
    lease: undefined,
    answers: [],
  };
  if (replaced === undefined) state.nextOrder += 1;
  for (const id of spec.tasks) {
    const task = taskOf(state, id);
    if (task.status === 'open') {
      packet.openTasks += 1;
      if (replaced !== undefined) replaced.openTasks -= 1;
    }
    task.packet = spec.id;
  }
  if (spec.replaces !== undefined && state.writer.begun.has(spec.replaces)) {
    state.writer.begun.add(spec.id);
  }
  state.packets.set(spec.id, packet);
  state.counts.packets.ready += 1;
  insertWaiting(state.ready, waitingOf(packet));
  if (packet.openTasks === 0) movePacket(state, packet, 'settled');
};

/** A task leaves `open`. Its packet is settled, or abandoned, with its last open task. */
export const moveTask = (state: AuditState, task: TaskRecord, status: TaskStatus): void => {
  if (task.status === status) return;
  const wasOpen = task.status === 'open';
  state.counts.tasks[task.status] -= 1;
  state.counts.tasks[status] += 1;
  task.status = status;
  if (!wasOpen || task.packet === undefined) return;
  const packet = packetOf(state, task.packet);
  packet.openTasks -= 1;
  if (packet.openTasks === 0) {
    movePacket(state, packet, status === 'abandoned' ? 'abandoned' : 'settled');
    for (const [number, item] of state.queue) {
      if (item.kind === 'spent' && item.packet === packet.spec.id) state.queue.delete(number);
    }
  }
};

export const movePacket = (
  state: AuditState,
  packet: PacketRecord,
  status: PacketStatus,
  retryAt?: Instant,
): void => {
  if (packet.status === 'ready') removeWaiting(state.ready, waitingOf(packet));
  if (packet.status === 'backing-off') removeWaiting(state.backingOff, waitingOf(packet));
  state.counts.packets[packet.status] -= 1;
  state.counts.packets[status] += 1;
  packet.status = status;
  packet.retryAt = retryAt;
  if (status === 'ready') insertWaiting(state.ready, waitingOf(packet));
  if (status === 'backing-off') insertWaiting(state.backingOff, waitingOf(packet));
};

/** A packet that may go on: at once, or after a pause. */
export const giveBack = (
  state: AuditState,
  packet: PacketRecord,
  retryAt: Instant | undefined,
): void => {
  if (packet.openTasks === 0) return;
  movePacket(state, packet, retryAt === undefined ? 'ready' : 'backing-off', retryAt);
};

export const taskOf = (state: AuditState, id: TaskId): TaskRecord =>
  state.tasks.get(id) ?? unplanned('task', id);

export const packetOf = (state: AuditState, id: PacketId): PacketRecord =>
  state.packets.get(id) ?? unplanned('packet', id);

/** Apart, since a replay comes by hundreds of thousands of times and needs no sentence for it. */
const unplanned = (what: string, id: string): never => {
  throw new InvariantViolation(`I2: ${what} ${id} is planned before anything is said of it`);
};

/** The packet of an open lease. */
export const leasedPacket = (state: AuditState, token: Token): PacketRecord =>
  packetOf(state, required(state.attempts.get(token), `A3: attempt ${token} was started`).packet);

const waitingOf = ({ spec, order, retryAt }: PacketRecord): Waiting => ({
  packet: spec.id,
  order,
  retryAt: retryAt ?? 0,
});
