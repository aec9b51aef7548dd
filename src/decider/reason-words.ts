import type { Reason } from '../scheduler/why.ts';
import { isoTime } from '../std/instant-text.ts';

/**
 * Why a packet does or does not start, as a clause: "it failed and waits until …", with the command that
 * helps where there is one.
 */
export const reasonWords = (reason: Reason): string => {
  switch (reason.kind) {
    case 'unknown-packet':
      return 'it was not planned';
    case 'settled':
    case 'abandoned':
      return `it is ${reason.kind}`;
    case 'in-flight':
      return 'it is in flight';
    case 'being-judged':
      return 'its answer waits to be judged';
    case 'starts-now':
      return 'it can start: casefile run';
    case 'stopped':
      return 'no process works on the audit, or it was told to stop: casefile run';
    case 'hand-off':
      return 'it waits for somebody to review it: casefile next';
    case 'question':
      return 'the operator is asked something first: casefile answer';
    case 'answers-held':
      return 'answers that were handed in are looked into first: casefile run';
    case 'packets-used-up':
      return 'that call had begun as many packets as it might (--limit): casefile run';
    case 'starts-used-up':
      return 'the starts of that call (--max-runs) are used up: casefile run';
    case 'backing-off':
      return `it failed and waits until ${isoTime(reason.until)}`;
    case 'accounts-cooling':
      return `a limit was reached; nothing starts before ${isoTime(reason.until)}`;
    case 'accounts-exhausted':
      return 'its account cannot take work';
    case 'no-free-slot':
      return `all ${reason.ceiling} slots are taken`;
  }
};
