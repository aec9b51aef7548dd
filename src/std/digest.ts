import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './canonical-json.ts';

/** SHA-256 as 64 lower-case hex digits, without `node:`, so that a page can compute it too. */
export const sha256Hex = (content: string | Uint8Array): string =>
  bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content));

/** The digest of a value's canonical JSON: the one way in which ids are made from content. */
export const digestOf = (value: unknown): string => sha256Hex(canonicalJson(value));
