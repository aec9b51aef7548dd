import { assert } from '../std/assert.ts';

/** A line of the log as JSON, before anything but its checksum and its version was looked at. */
export type RawCommit = { readonly v: number } & Readonly<Record<string, unknown>>;

/**
 * Turns a commit of version `from` into one of version `from` + 1. Pure, one step, on raw JSON: the
 * types of old versions live here and nowhere else.
 */
export type Upcaster = { readonly from: number; readonly up: (commit: RawCommit) => RawCommit };

/** From version 1 on, without a gap. Version 1 is the first, so there is nothing to lift yet. */
export const UPCASTERS: readonly Upcaster[] = [];

/**
 * Lifts a commit to `version`, one step at a time. A commit that is there already is returned as
 * it is.
 */
export const upcast = (
  commit: RawCommit,
  version: number,
  chain: readonly Upcaster[] = UPCASTERS,
): RawCommit => {
  let lifted = commit;
  while (lifted.v < version) {
    const from = lifted.v;
    const step = chain.find((upcaster) => upcaster.from === from);
    assert(step !== undefined, `the upcaster chain has a step from version ${from}`);
    lifted = { ...step.up(lifted), v: from + 1 };
  }
  return lifted;
};
