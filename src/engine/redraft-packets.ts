import type { AuditState, PacketRecord } from '../decider/state.ts';
import type { PlannedPacket } from '../domain/events.ts';
import { draftPacket } from '../pipeline/packets.ts';
import type { BlobStore } from '../store/blob-store.ts';
import { taskOf } from '../decider/packet-board.ts';
import type { Artifacts } from './artifacts.ts';
import { plannedTaskOf } from './planned-task.ts';
import { reviewFacts } from './review-facts.ts';

/**
 * Prompts of the packets that wait, made anew from what is known now: leads that came after the plan. Each takes
 * the place of its packet, with the same tasks, as the rest of a packet does; one whose prompt says the same
 * stays. What runs, was answered, or was asked about keeps the prompt that it went out with.
 */
export const redraftPackets = async (
  state: AuditState,
  artifacts: Artifacts,
  blobs: BlobStore,
): Promise<readonly PlannedPacket[]> => {
  const { facts, context } = await reviewFacts(state, artifacts);
  const asked = new Set([...state.questions.values()].map(({ packet }) => packet));
  const redrafted: PlannedPacket[] = [];
  for (const packet of state.packets.values()) {
    if (!isWaiting(state, packet) || asked.has(packet.spec.id)) continue;
    const open = packet.spec.tasks.filter((id) => taskOf(state, id).status === 'open');
    const tasks = open.map((id) => plannedTaskOf(taskOf(state, id)));
    const { promptText, ...draft } = draftPacket(tasks, facts, context);
    if (state.packets.has(draft.id)) continue;
    const prompt = await blobs.put(Buffer.from(promptText));
    redrafted.push({ ...draft, prompt, replaces: packet.spec.id });
  }
  return redrafted;
};

/** Questions about the design, and the narrative, tell no leads. */
const isWaiting = (state: AuditState, { status, lease, spec }: PacketRecord): boolean =>
  status === 'ready' &&
  lease === undefined &&
  spec.tasks.every((id) => taskOf(state, id).kind === 'review');
