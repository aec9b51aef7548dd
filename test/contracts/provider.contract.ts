import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answer } from '../../src/domain/answer.ts';
import { attemptEnd } from '../../src/domain/attempt-end.ts';
import { accountSetting } from '../../src/domain/settings.ts';
import type { AttemptJob, Provider } from '../../src/providers/provider.ts';

export type ProviderUnderTest = {
  readonly provider: Provider;
  /** A packet of at least one task that the provider can answer in full. */
  readonly job: AttemptJob;
  readonly close: () => Promise<void>;
};

/** What the engine may rely on, whoever answers. */
export const providerContract = (name: string, create: () => Promise<ProviderUnderTest>): void => {
  describe(`${name} keeps the provider contract`, () => {
    let made: ProviderUnderTest;
    beforeEach(async () => {
      made = await create();
    });
    afterEach(() => made.close());
    const never = new AbortController().signal;

    test('its account has a stated width that is not zero', () => {
      expect(accountSetting.safeParse(made.provider.account).success).toBe(true);
    });

    test('it can judge by some lens, and says for which files', () => {
      const { lenses, covers } = made.provider;
      expect(lenses.length).toBeGreaterThan(0);
      expect(lenses.some((lens) => covers({ language: 'JavaScript' }, lens))).toBe(true);
    });

    test('an answer names its packet and has a verdict for each task', async () => {
      const { provider, job } = made;
      const report = await provider.run(job, never);
      const given = answer.parse(JSON.parse(Buffer.from(report.answer ?? []).toString()));
      expect(given.packet).toBe(job.brief.packet);
      expect(given.results.map(({ task }) => task).toSorted()).toEqual(
        job.brief.tasks.map(({ id }) => id).toSorted(),
      );
      expect(attemptEnd.parse(report.end)).toEqual({ kind: 'exited' });
    });

    test('asked again for the same token it gives the same answer', async () => {
      const { provider, job } = made;
      const first = await provider.run(job, never);
      const second = await provider.run(job, never);
      expect(Buffer.from(second.answer ?? [])).toEqual(Buffer.from(first.answer ?? []));
    });

    test('stopped before it starts, it says by whom and gives no answer', async () => {
      const { provider, job } = made;
      const report = await provider.run(job, AbortSignal.abort('budget'));
      expect(report.end).toEqual({ kind: 'cancelled', by: 'budget' });
      expect(report.answer).toBeUndefined();
    });
  });
};
