import { z } from 'zod';
import { commitEnvelope, LOG_VERSION } from './commit.ts';
import { tolerantEvent } from './events.ts';

/**
 * One line of the log, for other tools: as it is read, so unknown fields are allowed. The keys stand
 * in this order; `crc` covers the bytes before it.
 */
export const logLine = z.looseObject({
  v: z.literal(LOG_VERSION),
  seq: commitEnvelope.shape.seq,
  at: commitEnvelope.shape.at,
  epoch: commitEnvelope.shape.epoch,
  durable: commitEnvelope.shape.durable,
  cause: commitEnvelope.shape.cause,
  events: z.array(tolerantEvent).min(1),
  from: commitEnvelope.shape.from,
  to: commitEnvelope.shape.to,
  prev: commitEnvelope.shape.prev,
  crc: z.string().regex(/^[0-9a-f]{8}$/),
});
