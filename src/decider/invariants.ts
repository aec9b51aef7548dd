import { assert } from '../std/assert.ts';
import { PACKET_STATUSES, TASK_STATUSES, type AuditState } from './state.ts';
import { waitingIn, type WaitingList } from './waiting-list.ts';

/**
 * What holds in every state at rest, that is after every commit. The tests check it after each
 * step of every history; `replay --verify` checks it at the end of a real log.
 *
 * I1. Tasks and packets are planned once.          I2. Nothing is said of what was not planned.
 * I3. The lists of waiting packets hold exactly the packets that wait, in order.
 * I4. An audit is opened once, by its first event. I5. A packet has at most one open lease.
 * I6. A replaced packet has no lease.              I7. Nothing starts during its account's cooldown.
 * I8. What follows from a command ends.            I9. Counts are what counting gives.
 * I10. An account's calls in flight are its open leases.
 * I11. The chart never rests in `choosing`, and rests in `ingesting` only while something waits.
 * I12. `complete` and `AuditCompleted` are the same thing, and then nothing is open or leased.
 */
export const checkInvariants = (state: AuditState): void => {
  checkCounts(state);
  checkWaiting(state);
  checkLeases(state);
  const { path } = state.lifecycle;
  assert(path !== 'deriving.choosing', 'I11: the chart never rests in choosing');
  if (state.writer.isOpen) {
    assert(path !== 'ingesting' || state.queue.size > 0, 'I11: ingesting rests while answers wait');
  }
  assert((path === 'complete') === (state.completed !== undefined), 'I12: complete is an event');
  if (state.completed !== undefined) {
    assert(state.counts.tasks.open === 0, 'I12: a complete audit has no open task');
    assert(state.leases.size === 0, 'I12: a complete audit has no open lease');
    assert(state.queue.size === 0, 'I12: nothing waits to be judged in a complete audit');
  }
};

const checkCounts = (state: AuditState): void => {
  for (const status of TASK_STATUSES) {
    const found = [...state.tasks.values()].filter((task) => task.status === status).length;
    assert(found === state.counts.tasks[status], `I9: ${found} tasks are ${status}`);
  }
  for (const status of PACKET_STATUSES) {
    const found = [...state.packets.values()].filter((packet) => packet.status === status).length;
    assert(found === state.counts.packets[status], `I9: ${found} packets are ${status}`);
  }
  for (const packet of state.packets.values()) {
    const open = packet.spec.tasks.filter((id) => {
      const task = state.tasks.get(id);
      return task?.status === 'open' && task.packet === packet.spec.id;
    }).length;
    assert(open === packet.openTasks, `I9: packet ${packet.spec.id} has ${open} open tasks`);
    assert(
      open > 0 || packet.status === 'settled' || packet.status === 'abandoned',
      `I9: packet ${packet.spec.id} without open tasks is at its end`,
    );
  }
};

const checkWaiting = (state: AuditState): void => {
  const check = (waitingList: WaitingList, status: string): void => {
    const list = [...waitingIn(waitingList)];
    const { key } = waitingList;
    const inList = list.map(({ packet }) => packet).toSorted();
    const waiting = [...state.packets.values()]
      .filter((packet) => packet.status === status)
      .map(({ spec }) => spec.id)
      .toSorted();
    assert(inList.join() === waiting.join(), `I3: the list of ${status} packets is whole`);
    for (const [place, entry] of list.entries()) {
      assert(place === 0 || (list[place - 1]?.[key] ?? 0) <= entry[key], `I3: it is in order`);
    }
  };
  check(state.ready, 'ready');
  check(state.backingOff, 'backing-off');
};

const checkLeases = (state: AuditState): void => {
  const open = [...state.attempts.values()].filter(({ end }) => end === undefined);
  assert(open.length === state.leases.size, 'I5: a lease is an attempt that has not ended');
  assert(
    new Set(open.map(({ packet }) => packet)).size === open.length,
    'I5: a packet has at most one open lease',
  );
  for (const account of state.accounts.values()) {
    const inFlight = open.filter((attempt) => attempt.account === account.id).length;
    assert(inFlight === account.inFlight, `I10: ${inFlight} calls are in flight on ${account.id}`);
  }
};
