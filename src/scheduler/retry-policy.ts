import type { Instant } from '../domain/ids.ts';
import { digestOf } from '../std/digest.ts';

/** First pause of a packet after a counted failure; doubles with each further one. */
const RETRY_BASE_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/**
 * When a packet may start again after its n-th counted failure (n from 1): 1 s, 2 s, 4 s, ... up to
 * a minute, and up to a quarter more so that packets that failed together do not return together.
 * The jitter is a digest of packet and n, not chance: a replay gives the same instant.
 */
export const retryAt = (failure: { packet: string; counted: number; at: Instant }): Instant => {
  const pauseMs = Math.min(RETRY_BASE_MS * 2 ** (failure.counted - 1), RETRY_MAX_MS);
  const share =
    Number.parseInt(digestOf([failure.packet, failure.counted]).slice(0, 4), 16) / 0xffff;
  return failure.at + pauseMs + Math.floor((pauseMs / 4) * share);
};

/** Cooldown that is assumed when a limit signal names no reset. */
const COOLDOWN_BASE_MS = 60_000;
const COOLDOWN_MAX_MS = 900_000;

/**
 * The stated default cooldown after the n-th limit in a row (n from 1): one minute, doubling, at
 * most a quarter of an hour. The constants are the predecessor's.
 */
export const defaultCooldownMs = (limitsInRow: number): number =>
  Math.min(COOLDOWN_BASE_MS * 2 ** (limitsInRow - 1), COOLDOWN_MAX_MS);

/** A lease outlives the attempt's own wall limit by this, so that its runner speaks first. */
const LEASE_MARGIN_MS = 60_000;

export const leaseUntil = (start: { at: Instant; wallMs: number }): Instant =>
  start.at + start.wallMs + LEASE_MARGIN_MS;
