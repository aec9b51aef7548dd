import { printable } from '../../std/printable.ts';

/** How much of a report could not be used, by reason. `first` says where the first of them stands. */
export type LeftOut = readonly {
  readonly reason: string;
  readonly count: number;
  readonly first?: string;
}[];

/** Counts what is left out. There are few reasons, however long the report: others are counted as one. */
export const createLeftOut = () => {
  const reasons = new Map<string, { count: number; readonly first: string | undefined }>();
  return {
    add: (reason: string, where?: string, count = 1): void => {
      const text = printable(reason, REASON_LENGTH);
      const key = reasons.has(text) || reasons.size < REASONS_MAX ? text : OTHER;
      const known = reasons.get(key);
      if (known !== undefined) known.count += count;
      else reasons.set(key, { count, first: where && printable(where, REASON_LENGTH) });
    },
    list: (): LeftOut =>
      [...reasons].map(([reason, { count, first }]) =>
        first === undefined ? { reason, count } : { reason, count, first },
      ),
  };
};

const REASONS_MAX = 20;
const REASON_LENGTH = 300;
const OTHER = 'other reasons';
