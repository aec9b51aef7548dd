import type { PlannedPacket } from '../domain/events.ts';
import type { PacketDraft } from '../pipeline/packets.ts';
import type { BlobStore } from '../store/blob-store.ts';

/** Keeps the prompt of a packet, so that the log can name it. */
export const withPrompt = async (
  { promptText, ...packet }: PacketDraft,
  blobs: BlobStore,
): Promise<PlannedPacket> => ({ ...packet, prompt: await blobs.put(Buffer.from(promptText)) });
