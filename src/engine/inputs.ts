import type { Effect } from '../domain/effects.ts';
import type { RefusedInput } from '../domain/events.ts';
import type { PacketId, TaskId } from '../domain/ids.ts';
import type { AuditState } from '../decider/state.ts';
import { findAnswers } from '../pipeline/find-answers.ts';
import type { BlobStore } from '../store/blob-store.ts';

/**
 * Opens what was handed in from outside: tells the packets that it answers.
 *
 * @param parts.isOfEarlierAudit whether another audit of this place planned the packet: then the
 *   answer is to a previous version of the question, which is worth saying (T12).
 */
export const createInputOpener =
  (parts: {
    readonly blobs: BlobStore;
    readonly isOfEarlierAudit: (packet: string) => Promise<boolean>;
  }) =>
  async (
    { content, packet }: Extract<Effect, { type: 'OpenInput' }>,
    state: AuditState,
  ): Promise<{
    readonly packets: readonly PacketId[];
    readonly refused: readonly RefusedInput[];
  }> => {
    const found = findAnswers(
      await parts.blobs.get(content.digest),
      {
        packetOf: (task) => state.tasks.get(task as TaskId)?.packet,
        hasPacket: (id) => state.packets.has(id as PacketId),
      },
      packet,
    );
    const refused = found.refused.map(async (one): Promise<RefusedInput> => {
      if (one.code !== 'unknown-packet' || one.packet === undefined) return one;
      if (!(await parts.isOfEarlierAudit(one.packet))) return one;
      const message = `Packet ${one.packet} belongs to an earlier audit: the files have changed since. Review the packet that casefile next gives now.`;
      return { ...one, code: 'answers-previous-version', message };
    });
    return { packets: found.packets as PacketId[], refused: await Promise.all(refused) };
  };
