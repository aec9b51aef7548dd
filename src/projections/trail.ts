import type { AuditEvent } from '../domain/events.ts';
import type { EventNumber, PacketId, TaskId, Token } from '../domain/ids.ts';

/** Whose trail it is. */
export type TrailOf =
  | { readonly kind: 'task'; readonly tasks: readonly TaskId[] }
  | { readonly kind: 'packet'; readonly packet: PacketId }
  | { readonly kind: 'attempt'; readonly token: Token };

/**
 * Follows tasks, a packet or an attempt through the log: called with each event in order, it says
 * whether the event is about them.
 *
 *     task ── PacketsPlanned ──► packet ── AttemptStarted ──► token ── AttemptEnded ──► answer
 *       ▲                          └────── AnswersImported ─────────────────────────────► │
 *       └───────────────── ResultAccepted · ResultRejected ◄──────────────────────────────┘
 *
 * A packet's replacement belongs to its history as the place where its open tasks went; what happens
 * there is the replacement's own.
 */
export const createTrail = (of: TrailOf): ((event: AuditEvent, seq: EventNumber) => boolean) => {
  const tasks = new Set<TaskId>(of.kind === 'task' ? of.tasks : []);
  const packets = new Set<PacketId>(of.kind === 'packet' ? [of.packet] : []);
  const tokens = new Set<Token>(of.kind === 'attempt' ? [of.token] : []);
  const answers = new Set<EventNumber>();
  const paths = new Set<string>();

  const brings = (seq: EventNumber, has: boolean): true => {
    if (has) answers.add(seq);
    return true;
  };

  return (event, seq) => {
    switch (event.type) {
      case 'TasksPlanned': {
        const own = event.tasks.filter(({ id }) => tasks.has(id));
        for (const task of own) for (const path of task.paths) paths.add(path);
        return own.length > 0;
      }
      case 'PacketsPlanned': {
        if (of.kind === 'attempt') return false;
        let isOwn = false;
        for (const packet of event.packets) {
          if (of.kind === 'task' && packet.tasks.some((task) => tasks.has(task))) {
            packets.add(packet.id);
            isOwn = true;
          }
          if (of.kind !== 'packet') continue;
          if (packet.id === of.packet) for (const task of packet.tasks) tasks.add(task);
          isOwn ||= packet.id === of.packet || packet.replaces === of.packet;
        }
        return isOwn;
      }
      case 'AttemptStarted':
        if (of.kind === 'attempt') return seq === of.token;
        if (!packets.has(event.packet)) return false;
        tokens.add(seq);
        return true;
      case 'AttemptEnded':
        return tokens.has(event.token) && brings(seq, event.answer !== undefined);
      case 'AnswersImported':
        return (
          (packets.has(event.packet) || (event.token !== undefined && tokens.has(event.token))) &&
          brings(seq, true)
        );
      case 'ResultAccepted':
        return of.kind === 'task' ? tasks.has(event.task) : answers.has(event.of);
      case 'ResultRejected':
        if (!answers.has(event.of)) return false;
        return of.kind !== 'task' || event.task === undefined || tasks.has(event.task);
      case 'TaskAbandoned':
        return tasks.has(event.task);
      case 'InputDrifted':
        return event.paths.some(({ path }) => paths.has(path));
      case 'CooldownStarted':
        return event.token !== undefined && tokens.has(event.token);
      case 'ExternalInputReceived':
        return event.packet !== undefined && packets.has(event.packet);
      case 'ExternalInputConsumed':
        return event.refused.some(({ packet }) => packet !== undefined && named(packets, packet));
      case 'AuditOpened':
      case 'WriterOpened':
      case 'WriterClosed':
      case 'ArtifactDerived':
      case 'ObligationWaived':
      case 'ArtifactsStale':
      case 'FindingVerified':
      case 'DeepeningEnded':
      case 'IngestionFinished':
      case 'CooldownElapsed':
      case 'LimitsChanged':
      case 'AccountThrottled':
      case 'AccountExhausted':
      case 'AuditBlocked':
      case 'AuditResumed':
      case 'OperatorAnswered':
      case 'StopRequested':
      case 'AuditCompleted':
        return false;
    }
  };
};

/** What was handed in names packets as it likes. */
const named = (packets: ReadonlySet<string>, packet: string): boolean => packets.has(packet);
