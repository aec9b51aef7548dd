import { expect, test } from 'vitest';
import { advance, LATER, reports } from '../helpers/command-samples.ts';
import { given } from '../helpers/given.ts';
import { ACCOUNT, auditOpened, planned, START } from '../helpers/samples.ts';
import { after } from '../helpers/whole-audit.ts';

/** Ten packets, a ceiling of four, and a process that may start `startsMax` attempts. */
const limited = (startsMax: number) => {
  const tasks = Array.from({ length: 10 }, (_, index) => [index + 1]);
  const [, , ...rest] = planned(tasks, {
    accounts: [{ id: ACCOUNT, ceiling: 4, source: 'declared' }],
  });
  return [
    auditOpened({ accounts: [{ id: ACCOUNT, ceiling: 4, source: 'declared' }] }),
    { type: 'WriterOpened', epoch: 1, tool: '0.1.0', startsMax, at: START } as const,
    ...rest,
  ];
};
const openWriter = (epoch: number, startsMax?: number) =>
  ({
    type: 'OpenWriter',
    epoch,
    tool: '0.1.0',
    ...(startsMax !== undefined && { startsMax }),
    now: LATER,
  }) as const;

test('a process starts exactly as many attempts as it may, however many slots are free (R35)', () => {
  for (const startsMax of [1, 2, 3, 4, 5, 9]) {
    const { state } = given(...limited(startsMax));
    let events = limited(startsMax);
    for (let turn = 0; turn < 20; turn += 1) {
      const now = LATER + turn * 100_000;
      events = after(events, advance(now), ({ leases }) => {
        const [token] = leases;
        return token === undefined
          ? advance(now)
          : reports(token, { kind: 'crashed', exitCode: 1 }, undefined, now);
      });
    }
    expect(events.filter(({ type }) => type === 'AttemptStarted')).toHaveLength(startsMax);
    expect(state.writer.startsMax).toBe(startsMax);
  }
});

test('the last start asks for the stop, in the same commit', () => {
  given(...limited(2))
    .when(advance())
    .then(
      { type: 'AttemptStarted' },
      { type: 'AttemptStarted' },
      { type: 'StopRequested', reason: 'max-runs' },
    );
});

test('the next process has starts of its own, and the counter is in the log', () => {
  const stopped = after(limited(2), advance(), openWriter(2, 1));
  const { state } = given(...stopped);
  expect(state.writer).toMatchObject({ starts: 0, startsMax: 1, stop: undefined });
  given(...stopped)
    .when(advance())
    .thenTypes('AttemptStarted', 'StopRequested');
});

test('a process without such a limit fills every free slot and does not stop', () => {
  given(...after(limited(1), openWriter(2)))
    .when(advance())
    .thenTypes('AttemptStarted', 'AttemptStarted', 'AttemptStarted', 'AttemptStarted');
});
