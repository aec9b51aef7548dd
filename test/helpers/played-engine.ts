import { setImmediate as turn } from 'node:timers/promises';
import type { AttemptReport } from '../../src/domain/commands.ts';
import type { AuditEvent } from '../../src/domain/events.ts';
import type { PacketId } from '../../src/domain/ids.ts';
import type { Settings } from '../../src/domain/settings.ts';
import { createEngine, type Engine, type EngineOptions } from '../../src/engine/engine.ts';
import { initialState } from '../../src/decider/state.ts';
import { createMemoryEventStore } from '../../src/store/memory-event-store.ts';
import * as sample from './samples.ts';
import { createSimulatedClock, type SimulatedClock } from './simulated-clock.ts';

/** An engine over a memory log and a simulated clock, whose attempts end when the test says so. */
export type PlayedEngine = {
  readonly engine: Engine;
  readonly clock: SimulatedClock;
  readonly events: AuditEvent[];
  /** Packets whose attempt runs now, by number. */
  readonly running: () => readonly number[];
  readonly finish: (packet: number, report: AttemptReport) => void;
  /** Lets everything that can happen happen. */
  readonly settle: () => Promise<void>;
};

export const ANSWER: AttemptReport = { end: { kind: 'exited' }, answer: sample.blob('answer') };

/** Opens an audit of one-task packets 1 to `packets`. */
export const playEngine = async (
  packets: number,
  options: Partial<EngineOptions> = {},
  fields: Partial<Settings> = {},
): Promise<PlayedEngine> => {
  const clock = createSimulatedClock(sample.START);
  const attempts = new Map<PacketId, (report: AttemptReport) => void>();
  const events: AuditEvent[] = [];
  const numbers = Array.from({ length: packets }, (_, index) => index + 1);
  const engine = createEngine(
    {
      store: createMemoryEventStore({ epoch: 1 }),
      clock,
      epoch: 1,
      state: initialState(),
      onPublished: (commit) => events.push(...commit.events),
      performer: {
        derive: async ({ stage }) => ({
          kind: 'derived',
          artifact: sample.blob(stage),
          ...(stage === 'planning' && {
            tasks: numbers.map((number) => sample.task(number)),
            packets: numbers.map((number) => sample.packet(number, [number])),
          }),
        }),
        attempt: ({ packet }, _, stop) =>
          new Promise((resolve) => {
            const end = (report: AttemptReport): void => {
              attempts.delete(packet);
              resolve(report);
            };
            attempts.set(packet, end);
            const cancel = (): void =>
              end({
                end: {
                  kind: 'cancelled',
                  by: stop.reason === 'settled' ? 'settled' : 'operator',
                },
              });
            if (stop.aborted) cancel();
            else stop.addEventListener('abort', cancel, { once: true });
          }),
        judge: async ({ packet }, state) => ({
          verdicts: (state.packets.get(packet)?.spec.tasks ?? []).map((task) => ({
            kind: 'accepted',
            task,
            result: sample.blob(`result ${task}`),
            verdict: 'clean',
            findings: sample.NO_FINDINGS,
          })),
        }),
        openInput: async () => ({ packets: [], refused: [] }),
        report: async () => undefined,
      },
    },
    { wait: false, graceMs: 5000, ...options },
  );
  const {
    type: _,
    at: __,
    ...opened
  } = sample.auditOpened(fields) as Extract<AuditEvent, { type: 'AuditOpened' }>;
  await engine.submit({ type: 'OpenAudit', ...opened });
  await engine.submit({ type: 'OpenWriter', epoch: 1, tool: '0.1.0' });
  return {
    engine,
    clock,
    events,
    running: () => numbers.filter((number) => attempts.has(sample.packetIdOf(number))),
    finish: (number, report) => attempts.get(sample.packetIdOf(number))?.(report),
    settle: async () => {
      for (let turns = 0; turns < 25; turns += 1) await turn();
    },
  };
};
